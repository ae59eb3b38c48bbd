"""Who reaches a Lustre file system: a security group for its servers, and one for the clients of a pool.

Sources, read November 2026: FSx for Lustre user guide, "File system access control with Amazon VPC" for the
ports, and "Creating an FSx for Lustre file system fails" for EFA, which wants all traffic within the servers'
group and between it and the clients'.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from aws_cdk import CfnTag
from aws_cdk import aws_ec2 as ec2
from constructs import Construct

from clusterwright.labels import pascal_case

if TYPE_CHECKING:
    from collections.abc import Mapping

    from aws_cdk import CfnResource

    from clusterwright.storage.lustre import LustreFileSystem

LUSTRE_PORTS = ((988, 988), (1018, 1023))

_ALL_IP = {"ipProtocol": "-1", "cidrIp": "0.0.0.0/0", "description": "All IP traffic"}
"""What EC2 lets out unless told; a list of one's own replaces it."""


class LustreSecurityGroup(Construct):
    """The security group of one file system's servers, which reach each other.

    Attributes:
        security_group_id: Id of the group.
        group: The group.
        rules: What it lets pass.
    """

    def __init__(
        self, scope: Construct, construct_id: str, *, vpc: ec2.IVpc, has_efa: bool, name: str = "lustre"
    ) -> None:
        """Make the group.

        Args:
            scope: The parent.
            construct_id: The id; a change replaces the group, and the file system with it.
            vpc: The VPC.
            has_efa: Whether the file system speaks EFA.
            name: Its Name tag.
        """
        super().__init__(scope, construct_id)
        group = ec2.CfnSecurityGroup(
            self,
            "Group",
            # Never changes: CloudFormation replaces groups for it, and file systems for their groups.
            group_description="Lustre servers of one file system",
            vpc_id=vpc.vpc_id,
            tags=[CfnTag(key="Name", value=name)],
        )
        self.security_group_id = group.attr_group_id
        self.group: CfnResource = group
        self.rules = _admit(
            self, "Own", servers=self.security_group_id, peers=self.security_group_id, has_efa=has_efa
        )


class LustreClients(Construct):
    """A security group for the nodes of one pool, let in by just the file systems that the pool uses.

    It lives with the pool, and so do the servers' rules for it: they come and go with the pool, and leave the
    stack that holds the data alone.

    Attributes:
        security_group_id: Id of the group.
    """

    def __init__(
        self,
        scope: Construct,
        construct_id: str,
        *,
        vpc: ec2.IVpc,
        file_systems: Mapping[str, LustreFileSystem],
        servers_security_group_id: str,
        has_efa: bool = False,
        name: str = "lustre-clients",
    ) -> None:
        """Make the group, and let it in.

        Args:
            scope: The parent.
            construct_id: The id.
            vpc: The VPC.
            file_systems: What the nodes use, by the user's names.
            servers_security_group_id: A group that the servers of all of them are in. The nodes let it in and
                not each file system's own, for EC2 deletes no group that another one names.
            has_efa: Whether the nodes have EFA.
            name: Its Name tag.
        """
        super().__init__(scope, construct_id)
        over_efa = {item: has_efa and system.has_efa for item, system in file_systems.items()}
        group = _make_clients_group(
            self, vpc=vpc, servers=servers_security_group_id, has_efa=any(over_efa.values()), name=name
        )
        self.security_group_id = group.attr_group_id
        for item, system in file_systems.items():
            _admit(
                self,
                pascal_case(item),
                servers=system.security_group_id,
                peers=self.security_group_id,
                has_efa=over_efa[item],
            )


def _make_clients_group(
    scope: Construct, *, vpc: ec2.IVpc, servers: str, has_efa: bool, name: str
) -> ec2.CfnSecurityGroup:
    # EFA is not IP: a range of addresses does not cover it, and the servers' group does.
    to_servers = {
        "ipProtocol": "-1",
        "destinationSecurityGroupId": servers,
        "description": "Lustre, EFA included, to the servers",
    }
    return ec2.CfnSecurityGroup(
        scope,
        "Group",
        group_description="Lustre clients of one pool",
        vpc_id=vpc.vpc_id,
        # Servers call their clients, too.
        security_group_ingress=[
            {
                **_as_property(traffic),
                "sourceSecurityGroupId": servers,
                "description": "Lustre, from the servers",
            }
            for traffic in _list_traffic(has_efa=has_efa).values()
        ],
        security_group_egress=[_ALL_IP, *([to_servers] if has_efa else [])],
        tags=[CfnTag(key="Name", value=name)],
    )


def _admit(scope: Construct, prefix: str, *, servers: str, peers: str, has_efa: bool) -> list[CfnResource]:
    """Let a group in to the servers; with EFA out of them as well."""
    rules: list[CfnResource] = [
        ec2.CfnSecurityGroupIngress(
            scope,
            f"{prefix}{name}In",
            group_id=servers,
            source_security_group_id=peers,
            description="Lustre, from the group of servers or of clients",
            **traffic,
        )
        for name, traffic in _list_traffic(has_efa=has_efa).items()
    ]
    if has_efa:
        rules.append(
            ec2.CfnSecurityGroupEgress(
                scope,
                f"{prefix}AllOut",
                group_id=servers,
                ip_protocol="-1",
                destination_security_group_id=peers,
                description="Lustre, EFA included, to the group of servers or of clients",
            )
        )
    return rules


def _list_traffic(*, has_efa: bool) -> dict[str, dict[str, Any]]:
    """What must pass, by a name for it, as the constructs take it."""
    if has_efa:
        return {"All": {"ip_protocol": "-1"}}
    return {
        f"Port{first}": {"ip_protocol": "tcp", "from_port": first, "to_port": last}
        for first, last in LUSTRE_PORTS
    }


def _as_property(traffic: Mapping[str, Any]) -> dict[str, Any]:
    """The same as a group's own list of rules takes it."""
    names = {"ip_protocol": "ipProtocol", "from_port": "fromPort", "to_port": "toPort"}
    return {names[key]: value for key, value in traffic.items()}
