"""Who reaches the storage over the network: rules of security groups, followed from group to group."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import aws_cdk as cdk
import pytest
from aws_cdk import aws_ec2 as ec2
from aws_cdk.assertions import Template
from synthesis import BLOCK

from clusterwright.config.lustre import LustreConfig
from clusterwright.storage import LustreFileSystem, LustreSecurityGroup

if TYPE_CHECKING:
    from collections.abc import Callable

    from synthesis import Templates

POOLS = {
    "train": {"instance_type": "p5en.48xlarge", "count": 16, "capacity": "h200"},
    "serve": {"instance_type": "g6e.4xlarge", "count": 2, "purpose": "realtime"},  # without EFA
}
PLAIN = {"capacity_gib": 4800, "throughput_mbps_per_tib": 250}
FAST = {"capacity_gib": 4800, "throughput_mbps_per_tib": 1000, "efa": True}
HOME = {"kind": "openzfs", "capacity_gib": 1024, "throughput_mbps": 320}
LUSTRE = {("tcp", 988, 988), ("tcp", 1018, 1023)}
EVERYTHING = {("-1", None, None)}


@dataclass
class Groups:
    """The security groups of a cluster, by stack and logical id, and what they let pass."""

    templates: Templates

    def __post_init__(self) -> None:
        self.exports = {
            str(output["Export"]["Name"]): self.name(part, output["Value"])
            for part in self.templates
            for output in self.templates[part].get("Outputs", {}).values()
            if "Export" in output
        }
        self.inward: dict[tuple[str, str], set[tuple[Any, ...]]] = {}
        self.outward: dict[tuple[str, str], set[tuple[Any, ...]]] = {}
        for part in self.templates:
            self._read(part)

    def name(self, part: str, value: Any) -> str:
        """A group, whether its own stack or another names it."""
        if "Fn::ImportValue" in value:
            return self.exports[value["Fn::ImportValue"]]
        if "Fn::GetStackOutput" in value:
            output = value["Fn::GetStackOutput"]
            other = output["StackName"].removeprefix("atlas-")
            return self.name(other, self.templates[other]["Outputs"][output["OutputName"]]["Value"])
        return f"{part}/{next(iter(value.values()))[0]}"

    def _read(self, part: str) -> None:
        for key, each in self.templates.resources(part, "AWS::EC2::SecurityGroup").items():
            for rule in each["Properties"].get("SecurityGroupIngress", ()):
                self._add(part, {**rule, "GroupId": {"Fn::GetAtt": [key]}})
            for rule in each["Properties"].get("SecurityGroupEgress", ()):
                self._add(part, {**rule, "GroupId": {"Fn::GetAtt": [key]}})
        for direction in ("Ingress", "Egress"):
            for each in self.templates.resources(part, f"AWS::EC2::SecurityGroup{direction}").values():
                self._add(part, each["Properties"])

    def _add(self, part: str, rule: dict[str, Any]) -> None:
        traffic = (rule["IpProtocol"], rule.get("FromPort"), rule.get("ToPort"))
        own = self.name(part, rule["GroupId"])
        if "SourceSecurityGroupId" in rule:
            peer = self.name(part, rule["SourceSecurityGroupId"])
            self.inward.setdefault((own, peer), set()).add(traffic)
        elif "DestinationSecurityGroupId" in rule:
            peer = self.name(part, rule["DestinationSecurityGroupId"])
            self.outward.setdefault((own, peer), set()).add(traffic)

    def of_pool(self, pool: str) -> set[str]:
        """The groups of a pool's interfaces."""
        data = self.templates.launch_template(pool)
        interfaces = data.get("NetworkInterfaces") or [{"Groups": data["SecurityGroupIds"]}]
        (groups,) = {
            tuple(sorted(self.name(f"pool-{pool}", each) for each in interface["Groups"]))
            for interface in interfaces
        }
        assert len(groups) <= 5, "EC2 takes five groups an interface"
        return set(groups)

    def of_servers(self, word: str) -> set[str]:
        """The groups of a file system."""
        systems = self.templates.resources("storage", "AWS::FSx::FileSystem")
        (found,) = [each["Properties"]["SecurityGroupIds"] for key, each in systems.items() if word in key]
        return {self.name("storage", each) for each in found}

    def let_in(self, own: set[str], others: set[str]) -> set[tuple[Any, ...]]:
        """What one end takes from the other."""
        return set().union(*(self.inward.get((mine, theirs), set()) for mine in own for theirs in others))

    def let_out(self, own: set[str], others: set[str]) -> set[tuple[Any, ...]]:
        """What may leave one end for the other by name."""
        return set().union(*(self.outward.get((mine, theirs), set()) for mine in own for theirs in others))


@pytest.fixture
def groups_of(synthesize: Callable[..., Templates]) -> Callable[..., Groups]:
    """Synthesize a cluster with two accelerated pools and some storage."""

    def run(**storage: Any) -> Groups:
        return Groups(synthesize(pools=POOLS, capacity={"h200": BLOCK}, storage=storage))

    return run


def test_a_pool_reaches_its_own_file_systems_alone(groups_of: Callable[..., Groups]) -> None:
    groups = groups_of(
        lustre={
            "ours": {**PLAIN, "pools": ["train"]},
            "theirs": {**PLAIN, "pools": ["serve"], "mount": "/theirs"},
            "both": {**PLAIN, "mount": "/both"},
        }
    )
    expected = {
        ("LustreOurs", "train"): LUSTRE,
        ("LustreOurs", "serve"): set(),
        ("LustreTheirs", "train"): set(),
        ("LustreTheirs", "serve"): LUSTRE,
        ("LustreBoth", "train"): LUSTRE,
        ("LustreBoth", "serve"): LUSTRE,
    }
    for (system, pool), traffic in expected.items():
        servers, clients = groups.of_servers(system), groups.of_pool(pool)
        assert groups.let_in(servers, clients) == traffic, (system, pool)
        assert traffic <= groups.let_in(clients, servers), (system, pool)
        assert groups.let_in(servers, groups.of_pool("system")) == set()
    for system in ("LustreOurs", "LustreTheirs", "LustreBoth"):
        own = groups.of_servers(system)
        assert groups.let_in(own, own) == LUSTRE
        others = [groups.of_servers(each) - own for each in ("LustreOurs", "LustreTheirs", "LustreBoth")]
        assert all(groups.let_in(own, each) == set() for each in others)


def test_efa_passes_both_ways_where_both_ends_speak_it(groups_of: Callable[..., Groups]) -> None:
    groups = groups_of(lustre={"fast": FAST, "plain": {**PLAIN, "mount": "/plain"}})
    fast, plain = groups.of_servers("LustreFast"), groups.of_servers("LustrePlain")
    train, serve = groups.of_pool("train"), groups.of_pool("serve")
    # FSx refuses an EFA file system whose own group does not let all through.
    assert groups.let_in(fast, fast) == groups.let_out(fast, fast) == EVERYTHING
    assert groups.let_in(fast, train) == groups.let_in(train, fast) == EVERYTHING
    assert groups.let_out(fast, train) == groups.let_out(train, fast) == EVERYTHING
    assert groups.let_in(fast, serve) == groups.let_in(serve, fast) == LUSTRE
    assert groups.let_out(fast, serve) == groups.let_out(serve, fast) == set()
    assert groups.let_in(plain, train) == LUSTRE
    assert groups.let_out(plain, train) == set()


def test_nodes_reach_the_homes_and_not_each_other(groups_of: Callable[..., Groups]) -> None:
    groups = groups_of(home=HOME)
    servers = groups.of_servers("Home")
    for pool in ("system", "train", "serve"):
        assert {first for _, first, _ in groups.let_in(servers, groups.of_pool(pool))} == {111, 2049, 20001}
    system = groups.of_pool("system")
    assert groups.let_in(system, system) == set()


def test_nothing_outside_names_what_goes_with_a_file_system(groups_of: Callable[..., Groups]) -> None:
    """EC2 deletes no group that another names, and storage is deployed before the pools."""
    groups = groups_of(lustre={"fast": FAST}, home=HOME)
    for pool in ("train", "serve"):
        own = groups.of_pool(pool)
        named = {each for mine, each in [*groups.inward, *groups.outward] if mine in own}
        from_storage = {each for each in own | named if each.startswith("storage/")}
        assert all(each.startswith("storage/StorageAccess") for each in from_storage), from_storage
        assert len(from_storage) == 2


def test_a_change_of_pools_leaves_the_storage_alone(groups_of: Callable[..., Groups]) -> None:
    """What one pool's group is let in by lives with the pool: it goes with it, and never holds it up."""

    def storage(pools: list[str]) -> dict[str, Any]:
        return groups_of(lustre={"ours": {**PLAIN, "pools": pools}}).templates["storage"]

    assert storage(["train"]) == storage(["serve", "train"])


def test_a_file_system_that_stays_keeps_its_group(groups_of: Callable[..., Groups]) -> None:
    def policies(*, retain: bool) -> set[str]:
        templates = groups_of(
            lustre={"ours": {**PLAIN, "retain": retain}}, home={**HOME, "retain": retain}
        ).templates
        kinds = ("", "Ingress", "Egress")
        resources = [
            each
            for kind in kinds
            for each in templates.resources("storage", f"AWS::EC2::SecurityGroup{kind}").values()
        ]
        return {each["DeletionPolicy"] for each in resources}

    assert policies(retain=True) == {"RetainExceptOnCreate"}
    assert policies(retain=False) == {"Delete"}


def test_lustre_over_tcp_opens_its_ports_alone() -> None:
    stack = cdk.Stack(cdk.App(), "Mine")
    vpc = ec2.Vpc.from_vpc_attributes(stack, "Vpc", vpc_id="vpc-12345678", availability_zones=["us-east-2a"])
    LustreSecurityGroup(stack, "Access", vpc=vpc, has_efa=False)
    rules = Template.from_stack(stack).find_resources("AWS::EC2::SecurityGroupIngress").values()
    ports = {(rule["Properties"]["FromPort"], rule["Properties"]["ToPort"]) for rule in rules}
    assert ports == {(988, 988), (1018, 1023)}
    assert all(rule["Properties"]["IpProtocol"] == "tcp" for rule in rules)


def test_lustre_brings_its_own_group() -> None:
    stack = cdk.Stack(cdk.App(), "Mine")
    LustreFileSystem(
        stack,
        "Scratch",
        config=LustreConfig(capacity_gib=1200),
        vpc=ec2.Vpc.from_vpc_attributes(
            stack, "Vpc", vpc_id="vpc-12345678", availability_zones=["us-east-2a"]
        ),
        subnet_id="subnet-12345678",
        name="scratch",
        security_group_id="sg-12345678",
    )
    template = Template.from_stack(stack)
    template.resource_count_is("AWS::EC2::SecurityGroup", 0)
    template.has_resource_properties("AWS::FSx::FileSystem", {"SecurityGroupIds": ["sg-12345678"]})
