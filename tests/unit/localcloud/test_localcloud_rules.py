"""Rules of the services, through a stack: each where it refuses, and beside it where it does not."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from small_templates import (
    BLOCK_ID,
    att,
    block_template,
    cluster,
    interfaces,
    network,
    node_group,
    ref,
    resource,
    role,
)

from clusterwright.localcloud import CapacityReservation
from clusterwright.localcloud.rules.clusters import control_plane_problems

if TYPE_CHECKING:
    from small_templates import Deployer

ON_DEMAND = {
    "InstanceMarketOptions": None,
    "CapacityReservationSpecification": None,
}
TARGET = {"CapacityReservationTarget": {"CapacityReservationId": "cr-0000000000000000a"}}


def refused(deployer: Deployer, resources: dict[str, Any]) -> str:
    """Why a stack was rolled back; fails the test where it was not."""
    assert deployer.create(resources)["StackStatus"] == "ROLLBACK_COMPLETE"
    return deployer.reasons()


def test_a_node_group_on_a_capacity_block_is_made(deployer: Deployer) -> None:
    stack = deployer.create(node_group())
    assert stack["StackStatus"] == "CREATE_COMPLETE", deployer.reasons()


@pytest.mark.parametrize(
    ("changes", "properties", "reason"),
    [
        ({"InstanceMarketOptions": None}, {}, "needs a launch template with MarketType capacity-block"),
        ({"CapacityReservationSpecification": None}, {}, "launch template with a CapacityReservationTarget"),
        ({"InstanceType": None}, {}, "needs the instance type in the launch template"),
        ({"CapacityReservationSpecification": TARGET}, {}, "cr-0000000000000000a does not exist"),
        (
            {"InstanceType": "p5.48xlarge", "NetworkInterfaces": interfaces(2)},
            {},
            f"{BLOCK_ID} is for p5en.48xlarge, the launch template for p5.48xlarge",
        ),
        (
            {},
            {"Subnets": [ref("Second")]},
            f"{BLOCK_ID} is in use2-az3, the node group's subnets in use2-az1",
        ),
        ({}, {"CapacityType": "ON_DEMAND"}, "does not fit capacity type ON_DEMAND"),
        (
            {"InstanceMarketOptions": None},
            {"CapacityType": "ON_DEMAND"},
            "a capacity block: use capacity type CAPACITY_BLOCK",
        ),
        (
            {"InstanceMarketOptions": {"MarketType": "spot"}, "CapacityReservationSpecification": None},
            {"CapacityType": "SPOT"},
            "must not ask for Spot",
        ),
        ({}, {"InstanceTypes": ["p5en.48xlarge"]}, "both in the launch template and in the node group"),
        ({}, {"DiskSize": 100}, "Disk size must be specified within the launch template"),
        (
            {"IamInstanceProfile": {"Name": "nodes"}},
            {},
            "must not name an instance profile",
        ),
        (
            {"NetworkInterfaces": [{**interfaces()[0], "SubnetId": ref("First")}]},
            {},
            "must not name subnets",
        ),
        (
            {"SecurityGroupIds": ["sg-0123456789abcdef0"]},
            {},
            "Security groups must be in the interfaces",
        ),
        (
            {"NetworkInterfaces": [{**interfaces()[0], "Groups": ["sg-0123456789abcdef0"]}]},
            {},
            "The security group 'sg-0123456789abcdef0' does not exist",
        ),
        ({}, {"NodeRole": "arn:aws:iam::123456789012:role/nobody"}, "role/nobody does not exist"),
    ],
)
def test_a_node_group_is_refused(
    deployer: Deployer, changes: dict[str, Any], properties: dict[str, Any], reason: str
) -> None:
    told = refused(deployer, node_group(block_template(**changes), **properties))
    assert "Nodes: An error" not in told
    assert reason in told


def test_a_block_is_no_reservation_and_a_reservation_no_block(deployer: Deployer) -> None:
    plain = CapacityReservation("cr-0000000000000000a", "p5en.48xlarge", "use2-az3", count=4)
    deployer.cloud.add_reservation(plain)
    as_block = block_template(CapacityReservationSpecification=TARGET)
    assert "is not a capacity block" in refused(deployer, node_group(as_block))
    deployer.delete()
    targeted = block_template(**{**ON_DEMAND, "CapacityReservationSpecification": TARGET})
    assert deployer.create(node_group(targeted, CapacityType="ON_DEMAND"))["StackStatus"] == "CREATE_COMPLETE"


@pytest.mark.parametrize(
    ("found", "reason"),
    [
        ([interfaces()[1]], "There is no primary interface at network card 0, device 0."),
        ([{**interfaces()[0], "InterfaceType": "efa-only"}], "primary interface cannot be efa-only"),
        ([*interfaces(), interfaces()[5]], "Network card 4, device 0 is used 2 times."),
        (interfaces(17), "p5en.48xlarge has network cards 0 to 15; there is no card 16."),
        ([{**interfaces()[0], "InterfaceType": "efaa"}], "does not take interface type efaa; it takes"),
        (
            [{**interfaces()[0], "DeviceIndex": device} for device in range(5)],
            "Network card 0 of p5en.48xlarge takes 4 interfaces, not 5.",
        ),
    ],
)
def test_interfaces_have_to_fit_the_instance_type(
    deployer: Deployer, found: list[dict[str, Any]], reason: str
) -> None:
    data = block_template(NetworkInterfaces=found)
    assert reason in refused(deployer, {"Template": resource("EC2::LaunchTemplate", LaunchTemplateData=data)})


def test_the_first_card_of_p6_b300_takes_no_efa(deployer: Deployer) -> None:
    def template(first_efa_card: int) -> dict[str, Any]:
        cards = [
            {"NetworkCardIndex": card, "DeviceIndex": 0, "InterfaceType": "efa-only"} for card in range(1, 17)
        ]
        extra = [{"NetworkCardIndex": 0, "DeviceIndex": 1, "InterfaceType": "efa-only"}]
        found = [interfaces()[0], *([] if first_efa_card else extra), *cards]
        data = {"InstanceType": "p6-b300.48xlarge", "NetworkInterfaces": found}
        return {"Template": resource("EC2::LaunchTemplate", LaunchTemplateData=data)}

    assert "Network card 0 of p6-b300.48xlarge does not take interface type efa-only" in refused(
        deployer, template(0)
    )
    deployer.delete()
    assert deployer.create(template(1))["StackStatus"] == "CREATE_COMPLETE"


def test_interfaces_are_also_checked_where_the_node_group_has_the_type(deployer: Deployer) -> None:
    data = block_template(**ON_DEMAND, InstanceType=None)
    on_demand = {"CapacityType": "ON_DEMAND", "Subnets": [ref("First")]}
    told = refused(deployer, node_group(data, InstanceTypes=["p5.4xlarge"], **on_demand))
    assert "p5.4xlarge has network cards 0 to 0; there is no card 1." in told
    deployer.delete()
    stack = deployer.create(node_group(data, InstanceTypes=["p5en.48xlarge"], **on_demand))
    assert stack["StackStatus"] == "CREATE_COMPLETE"


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"Second": network("use2-az3")["Second"]}, "must be in at least two different AZs"),
        (
            {
                "Other": resource("EC2::VPC", CidrBlock="10.0.0.0/16"),
                "Second": resource(
                    "EC2::Subnet", VpcId=ref("Other"), CidrBlock="10.0.16.0/20", AvailabilityZoneId="use2-az1"
                ),
            },
            "must be of one VPC",
        ),
    ],
)
def test_a_control_plane_needs_two_zones_of_one_vpc(
    deployer: Deployer, changes: dict[str, Any], reason: str
) -> None:
    assert reason in refused(deployer, {**cluster(), **changes})
    deployer.delete()
    assert deployer.create(cluster())["StackStatus"] == "CREATE_COMPLETE"


@pytest.mark.parametrize(
    ("properties", "reason"),
    [
        ({"RoleArn": "arn:aws:iam::123456789012:role/nobody"}, "role/nobody does not exist"),
        (
            {"ResourcesVpcConfig": {"SubnetIds": ["subnet-0123456789abcdef0"]}},
            "The subnet ID 'subnet-0123456789abcdef0' does not exist",
        ),
        (
            {
                "ResourcesVpcConfig": {
                    "SubnetIds": [ref("First"), ref("Second")],
                    "SecurityGroupIds": ["sg-0123456789abcdef0"],
                }
            },
            "The security group 'sg-0123456789abcdef0' does not exist",
        ),
    ],
)
def test_a_cluster_refers_to_what_exists(deployer: Deployer, properties: dict[str, Any], reason: str) -> None:
    assert reason in refused(deployer, cluster(**properties))


def test_two_clusters_cannot_share_a_name(deployer: Deployer) -> None:
    deployer.create(cluster(), "first")
    assert deployer.create(cluster(), "second")["StackStatus"] == "ROLLBACK_COMPLETE"
    assert "Cluster already exists with name: atlas" in deployer.reasons("second")


def test_a_protected_cluster_stays_until_protection_is_off(deployer: Deployer) -> None:
    deployer.create(cluster(DeletionProtection=True))
    assert deployer.delete()["StackStatus"] == "DELETE_FAILED"
    assert "deletion protection" in deployer.reasons()
    deployer.cloud.client("eks").update_cluster_config(name="atlas", deletionProtection=False)
    assert deployer.delete()["StackStatus"] == "DELETE_COMPLETE"


def test_a_cluster_with_node_groups_stays(deployer: Deployer) -> None:
    deployer.create(node_group())
    eks = deployer.cloud.client("eks")
    with pytest.raises(eks.exceptions.ResourceInUseException, match="nodegroups attached: train"):
        eks.delete_cluster(name="atlas")
    assert deployer.delete()["StackStatus"] == "DELETE_COMPLETE"


def test_nodes_live_in_the_vpc_of_their_cluster(deployer: Deployer) -> None:
    elsewhere = {
        "Other": resource("EC2::VPC", CidrBlock="10.0.0.0/16"),
        "Stray": resource(
            "EC2::Subnet", VpcId=ref("Other"), CidrBlock="10.0.0.0/20", AvailabilityZoneId="use2-az3"
        ),
    }
    told = refused(deployer, {**node_group(Subnets=[ref("Stray")]), **elsewhere})
    assert "is not in the cluster's VPC" in told


def test_a_control_plane_cannot_use_a_local_zone() -> None:
    subnets = [{"AvailabilityZoneId": zone, "VpcId": "vpc-1"} for zone in ("use1-az4", "use1-dfw2-az1")]
    kinds = {"use1-az4": "availability-zone", "use1-dfw2-az1": "local-zone"}
    assert list(control_plane_problems(subnets, kinds)) == [
        "A control plane cannot use use1-dfw2-az1, which is a local-zone."
    ]


@pytest.mark.parametrize(
    ("name", "status"), [("vpc-cni", "CREATE_COMPLETE"), ("vpc-cnii", "ROLLBACK_COMPLETE")]
)
def test_an_addon_has_to_be_one_of_eks(deployer: Deployer, name: str, status: str) -> None:
    addon = resource("EKS::Addon", ClusterName=ref("Cluster"), AddonName=name)
    assert deployer.create({**cluster(), "Addon": addon})["StackStatus"] == status


def test_the_configuration_of_an_addon_has_to_be_json(deployer: Deployer) -> None:
    addon = resource("EKS::Addon", ClusterName=ref("Cluster"), AddonName="vpc-cni", ConfigurationValues="{")
    assert "ConfigurationValue provided in request is not valid" in refused(
        deployer, {**cluster(), "Addon": addon}
    )


@pytest.mark.parametrize(
    ("principal", "policy", "reason"),
    [
        ("arn:aws:iam::123456789012:role/nobody", "AmazonEKSViewPolicy", "role/nobody does not exist"),
        ("arn:aws:iam::111122223333:role/Admin", "AmazonEKSKingPolicy", "policyArn parameter format is not"),
    ],
)
def test_an_access_entry_names_a_principal_and_policies_that_exist(
    deployer: Deployer, principal: str, policy: str, reason: str
) -> None:
    policies = [
        {"PolicyArn": f"arn:aws:eks::aws:cluster-access-policy/{policy}", "AccessScope": {"Type": "cluster"}}
    ]
    entry = resource(
        "EKS::AccessEntry", ClusterName=ref("Cluster"), PrincipalArn=principal, AccessPolicies=policies
    )
    assert reason in refused(deployer, {**cluster(), "Entry": entry})


def test_a_block_of_addresses_cannot_be_given_twice(deployer: Deployer) -> None:
    pods = resource("EC2::VPCCidrBlock", VpcId=ref("Vpc"), CidrBlock="100.64.0.0/16")
    assert "overlaps 10.0.0.0/16" in refused(
        deployer,
        {**network(), "Again": resource("EC2::VPCCidrBlock", VpcId=ref("Vpc"), CidrBlock="10.0.0.0/20")},
    )
    deployer.delete()
    deployer.create({**network(), "Pods": pods})
    assert deployer.stack()["StackStatus"] == "CREATE_COMPLETE"
    twice = {**network(), "Pods": pods, "Again": {**pods, "DependsOn": "Pods"}}
    assert deployer.update(twice)["StackStatus"] == "UPDATE_ROLLBACK_COMPLETE"
    assert "overlaps 100.64.0.0/16" in deployer.reasons()


def test_a_zone_has_to_exist(deployer: Deployer) -> None:
    assert "no zone use2-az9 in this region" in refused(deployer, network("use2-az9"))


def test_a_security_group_rule_refers_to_a_group(deployer: Deployer) -> None:
    def rule(peer: Any) -> dict[str, Any]:
        return {
            **network(),
            "Group": resource("EC2::SecurityGroup", GroupDescription="nodes", VpcId=ref("Vpc")),
            "Rule": resource(
                "EC2::SecurityGroupIngress",
                GroupId=att("Group", "GroupId"),
                IpProtocol="-1",
                SourceSecurityGroupId=peer,
            ),
        }

    assert "The security group 'sg-0123456789abcdef0' does not exist" in refused(
        deployer, rule("sg-0123456789abcdef0")
    )
    deployer.delete()
    assert deployer.create(rule(att("Group", "GroupId")))["StackStatus"] == "CREATE_COMPLETE"


def test_a_pod_identity_is_one_a_service_account(deployer: Deployer) -> None:
    association = resource(
        "EKS::PodIdentityAssociation",
        ClusterName=ref("Cluster"),
        Namespace="kube-system",
        ServiceAccount="aws-node",
        RoleArn=att("PodRole", "Arn"),
    )
    once = {**cluster(), "PodRole": role("pods.eks"), "Identity": association}
    told = refused(deployer, {**once, "Again": association})
    assert "Association already exists" in told
    deployer.delete()
    assert deployer.create(once)["StackStatus"] == "CREATE_COMPLETE"
