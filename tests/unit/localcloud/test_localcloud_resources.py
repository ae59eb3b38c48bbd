"""Resource types: what a template asks for is there, read through boto3, changes in place, and goes."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

import pytest
from small_templates import att, block_template, cluster, network, node_group, ref, resource, role

from clusterwright.localcloud.cloudformation.schemas import resource_schema
from clusterwright.localcloud.inventory import account_contents
from clusterwright.localcloud.resources import RESOURCE_TYPES

if TYPE_CHECKING:
    from pathlib import Path

    from small_templates import Deployer

TEAM = [{"Key": "team", "Value": "research"}]


def changed(resources: dict[str, Any], name: str, **properties: Any) -> dict[str, Any]:
    """The same resources with some properties of one changed; None takes a property away."""
    declaration = resources[name]
    merged = {**declaration["Properties"], **properties}
    kept = {key: value for key, value in merged.items() if value is not None}
    return {**resources, name: {**declaration, "Properties": kept}}


@pytest.mark.parametrize("name", [name for name in RESOURCE_TYPES if not name.startswith("Custom::")])
def test_every_type_has_a_schema_of_its_name(name: str) -> None:
    assert resource_schema("us-east-2", name) is not None


def test_the_documentation_lists_every_type(root: Path) -> None:
    page = (root / "docs" / "concepts" / "embedded-aws.md").read_text()
    table = page.partition("## The types")[2]
    assert set(re.findall(r"`((?:AWS::\w+|Custom)::[\w-]+)`", table)) == set(RESOURCE_TYPES)


def gateways() -> dict[str, Any]:
    """Every type of EC2 that leads out of a VPC or into a service."""
    return {
        **network(),
        "Gateway": resource("EC2::InternetGateway", Tags=TEAM),
        "Attachment": resource(
            "EC2::VPCGatewayAttachment", VpcId=ref("Vpc"), InternetGatewayId=ref("Gateway")
        ),
        "Address": resource("EC2::EIP", Domain="vpc", Tags=TEAM, depends_on="Attachment"),
        "Nat": resource(
            "EC2::NatGateway", SubnetId=ref("First"), AllocationId=att("Address", "AllocationId"), Tags=TEAM
        ),
        "Routes": resource("EC2::RouteTable", VpcId=ref("Vpc"), Tags=TEAM),
        "Use": resource(
            "EC2::SubnetRouteTableAssociation", RouteTableId=ref("Routes"), SubnetId=ref("Second")
        ),
        "Out": resource(
            "EC2::Route",
            RouteTableId=ref("Routes"),
            DestinationCidrBlock="0.0.0.0/0",
            NatGatewayId=ref("Nat"),
        ),
        "Group": resource("EC2::SecurityGroup", GroupDescription="endpoints", VpcId=ref("Vpc")),
        "S3": resource(
            "EC2::VPCEndpoint",
            VpcId=ref("Vpc"),
            ServiceName={"Fn::Sub": "com.amazonaws.${AWS::Region}.s3"},
            VpcEndpointType="Gateway",
            RouteTableIds=[ref("Routes")],
        ),
        "S3Express": resource(
            "EC2::VPCEndpoint",
            VpcId=ref("Vpc"),
            ServiceName="com.amazonaws.us-east-2.s3express",
            VpcEndpointType="Gateway",
            RouteTableIds=[ref("Routes")],
        ),
        "Sts": resource(
            "EC2::VPCEndpoint",
            VpcId=ref("Vpc"),
            ServiceName="com.amazonaws.us-east-2.sts",
            VpcEndpointType="Interface",
            SubnetIds=[ref("First")],
            SecurityGroupIds=[ref("Group")],
            PrivateDnsEnabled=True,
        ),
        "Logs": resource("Logs::LogGroup", LogGroupName="/flow", RetentionInDays=30, Tags=TEAM),
        "LogRole": role("vpc-flow-logs"),
        "Flow": resource(
            "EC2::FlowLog",
            ResourceId=ref("Vpc"),
            ResourceType="VPC",
            TrafficType="ALL",
            LogGroupName=ref("Logs"),
            DeliverLogsPermissionArn=att("LogRole", "Arn"),
            MaxAggregationInterval=600,
        ),
    }


def test_a_network_is_there_and_leaves_nothing_behind(deployer: Deployer) -> None:
    before = account_contents(deployer.cloud)
    stack = deployer.create(gateways())
    assert stack["StackStatus"] == "CREATE_COMPLETE", deployer.reasons()
    ec2, ids = deployer.cloud.client("ec2"), deployer.ids()
    gateway = ec2.describe_nat_gateways(NatGatewayIds=[ids["Nat"]])["NatGateways"][0]
    assert gateway["NatGatewayAddresses"][0]["PublicIp"] == ids["Address"]
    table = ec2.describe_route_tables(RouteTableIds=[ids["Routes"]])["RouteTables"][0]
    assert {route.get("NatGatewayId") for route in table["Routes"]} >= {ids["Nat"]}
    assert table["Associations"][0]["SubnetId"] == ids["Second"]
    types = {
        row["VpcEndpointType"]: row
        for row in ec2.describe_vpc_endpoints(VpcEndpointIds=[ids["S3"], ids["Sts"]])["VpcEndpoints"]
    }
    assert types["Gateway"]["RouteTableIds"] == [ids["Routes"]]
    assert types["Interface"]["Groups"][0]["GroupId"] == ids["Group"]
    flow = ec2.describe_flow_logs(FlowLogIds=[ids["Flow"]])["FlowLogs"][0]
    assert (flow["ResourceId"], flow["LogGroupName"]) == (ids["Vpc"], "/flow")
    assert ec2.describe_addresses()["Addresses"][0]["Tags"] == TEAM
    groups = deployer.cloud.client("logs").describe_log_groups()["logGroups"]
    assert groups[0]["retentionInDays"] == 30
    assert deployer.delete()["StackStatus"] == "DELETE_COMPLETE"
    assert account_contents(deployer.cloud) - before == frozenset()


def test_a_network_changes_in_place(deployer: Deployer) -> None:
    resources = gateways()
    deployer.create(resources)
    before = deployer.ids()
    resources = changed(resources, "Out", NatGatewayId=None, GatewayId=ref("Gateway"))
    resources = changed(resources, "Logs", RetentionInDays=90, Tags=[])
    resources = changed(resources, "Address", Tags=[{"Key": "team", "Value": "sales"}])
    resources = changed(resources, "Sts", SubnetIds=[ref("First"), ref("Second")])
    resources = changed(resources, "First", MapPublicIpOnLaunch=True)
    assert deployer.update(resources)["StackStatus"] == "UPDATE_COMPLETE", deployer.reasons()
    assert deployer.ids() == before
    ec2, logs = deployer.cloud.client("ec2"), deployer.cloud.client("logs")
    table = ec2.describe_route_tables(RouteTableIds=[before["Routes"]])["RouteTables"][0]
    assert {route.get("GatewayId") for route in table["Routes"]} >= {before["Gateway"]}
    group = logs.describe_log_groups()["logGroups"][0]
    assert group["retentionInDays"] == 90
    assert logs.list_tags_for_resource(resourceArn=group["arn"].removesuffix(":*"))["tags"] == {}
    assert ec2.describe_addresses()["Addresses"][0]["Tags"] == [{"Key": "team", "Value": "sales"}]
    endpoint = ec2.describe_vpc_endpoints(VpcEndpointIds=[before["Sts"]])["VpcEndpoints"][0]
    assert set(endpoint["SubnetIds"]) == {before["First"], before["Second"]}
    assert ec2.describe_subnets(SubnetIds=[before["First"]])["Subnets"][0]["MapPublicIpOnLaunch"] is True


def test_documented_attributes_resolve(deployer: Deployer) -> None:
    wanted = {
        "Vpc": ["CidrBlock", "DefaultSecurityGroup", "DefaultNetworkAcl"],
        "First": ["AvailabilityZone", "AvailabilityZoneId"],
        "Address": ["AllocationId", "PublicIp"],
        "Group": ["GroupId"],
        "Logs": ["Arn"],
        "LogRole": ["Arn", "RoleId"],
    }
    outputs = {
        f"{name}{attribute}": {"Value": att(name, attribute)}
        for name, attributes in wanted.items()
        for attribute in attributes
    }
    deployer.create(gateways(), Outputs=outputs)
    found = deployer.outputs()
    assert found["VpcCidrBlock"] == "10.0.0.0/16"
    assert (found["FirstAvailabilityZone"], found["FirstAvailabilityZoneId"]) == ("us-east-2c", "use2-az3")
    assert found["GroupGroupId"] == deployer.ids()["Group"]
    assert found["LogsArn"] == "arn:aws:logs:us-east-2:123456789012:log-group:/flow:*"
    assert set(found) == set(outputs)
    assert all(found.values())


def efa_group(*ports: int) -> dict[str, Any]:
    """A security group open to itself, with ports open to the VPC."""
    rules = [
        {"IpProtocol": "tcp", "FromPort": port, "ToPort": port, "CidrIp": "10.0.0.0/16"} for port in ports
    ]
    return {
        **network(),
        "Group": resource(
            "EC2::SecurityGroup",
            GroupDescription="EFA",
            VpcId=ref("Vpc"),
            SecurityGroupIngress=rules,
            SecurityGroupEgress=[
                {"IpProtocol": "tcp", "FromPort": 443, "ToPort": 443, "CidrIp": "0.0.0.0/0"}
            ],
        ),
        "In": resource(
            "EC2::SecurityGroupIngress",
            GroupId=att("Group", "GroupId"),
            IpProtocol="-1",
            SourceSecurityGroupId=att("Group", "GroupId"),
        ),
        "Out": resource(
            "EC2::SecurityGroupEgress",
            GroupId=att("Group", "GroupId"),
            IpProtocol="-1",
            DestinationSecurityGroupId=att("Group", "GroupId"),
        ),
    }


def test_rules_of_a_security_group_are_those_of_the_template(deployer: Deployer) -> None:
    def ports() -> list[int | None]:
        found = ec2.describe_security_groups(GroupIds=[group_id])["SecurityGroups"][0]
        return sorted((rule.get("FromPort", -1) for rule in found["IpPermissions"]), key=int)

    deployer.create(efa_group(22, 80))
    ec2, group_id = deployer.cloud.client("ec2"), deployer.ids()["Group"]
    assert ports() == [-1, 22, 80]
    deployer.update(efa_group(80, 443))
    assert ports() == [-1, 80, 443]
    egress = ec2.describe_security_groups(GroupIds=[group_id])["SecurityGroups"][0]["IpPermissionsEgress"]
    assert {rule.get("FromPort") for rule in egress} == {443, None}
    everywhere = [rule for rule in egress if rule["IpProtocol"] == "-1"]
    assert everywhere[0]["UserIdGroupPairs"][0]["GroupId"] == group_id
    assert not everywhere[0]["IpRanges"]
    assert deployer.delete()["StackStatus"] == "DELETE_COMPLETE"


def test_a_launch_template_gets_a_version_a_change(deployer: Deployer) -> None:
    def template(volume_gib: int) -> dict[str, Any]:
        mapping = {"DeviceName": "/dev/xvda", "Ebs": {"VolumeSize": volume_gib, "Encrypted": True}}
        data = block_template(BlockDeviceMappings=[mapping])
        return {"Template": resource("EC2::LaunchTemplate", LaunchTemplateData=data)}

    outputs = {
        "Latest": {"Value": att("Template", "LatestVersionNumber")},
        "Default": {"Value": att("Template", "DefaultVersionNumber")},
    }
    deployer.create(template(100), Outputs=outputs)
    assert deployer.outputs() == {"Latest": "1", "Default": "1"}
    deployer.update(template(200), Outputs=outputs)
    assert deployer.outputs() == {"Latest": "2", "Default": "1"}
    versions = deployer.cloud.client("ec2").describe_launch_template_versions(
        LaunchTemplateId=deployer.ids()["Template"], Versions=["1", "2"]
    )["LaunchTemplateVersions"]
    sizes = [
        version["LaunchTemplateData"]["BlockDeviceMappings"][0]["Ebs"]["VolumeSize"] for version in versions
    ]
    assert sizes == [100, 200]
    kinds = [item["InterfaceType"] for item in versions[1]["LaunchTemplateData"]["NetworkInterfaces"]]
    assert kinds == ["interface", *["efa-only"] * 16]


def test_a_placement_group_is_there_and_goes(deployer: Deployer) -> None:
    ec2 = deployer.cloud.client("ec2")
    group = resource("EC2::PlacementGroup", Strategy="cluster", Tags=TEAM)
    deployer.create({"Group": group}, Outputs={"Name": {"Value": att("Group", "GroupName")}})
    found = ec2.describe_placement_groups(GroupNames=[deployer.outputs()["Name"]])["PlacementGroups"]
    assert (found[0]["Strategy"], found[0]["Tags"]) == ("cluster", TEAM)
    deployer.delete()
    assert ec2.describe_placement_groups()["PlacementGroups"] == []


def test_a_cluster_keeps_every_property(deployer: Deployer) -> None:
    key = resource("KMS::Key", EnableKeyRotation=True, Tags=TEAM)
    properties = {
        "AccessConfig": {"AuthenticationMode": "API", "BootstrapClusterCreatorAdminPermissions": False},
        "BootstrapSelfManagedAddons": False,
        "DeletionProtection": True,
        "EncryptionConfig": [{"Provider": {"KeyArn": att("Key", "Arn")}, "Resources": ["secrets"]}],
        "KubernetesNetworkConfig": {"ServiceIpv4Cidr": "172.20.0.0/16"},
        "Logging": {"ClusterLogging": {"EnabledTypes": [{"Type": "api"}, {"Type": "audit"}]}},
        "UpgradePolicy": {"SupportType": "STANDARD"},
        "Tags": TEAM,
    }
    attributes = ("Arn", "Endpoint", "CertificateAuthorityData", "OpenIdConnectIssuerUrl")
    outputs = {name: {"Value": att("Cluster", name)} for name in (*attributes, "ClusterSecurityGroupId")}
    stack = deployer.create({**cluster(**properties), "Key": key}, Outputs=outputs)
    assert stack["StackStatus"] == "CREATE_COMPLETE", deployer.reasons()
    found = deployer.cloud.client("eks").describe_cluster(name="atlas")["cluster"]
    assert found["status"] == "ACTIVE"
    assert found["version"] == "1.34"
    assert found["accessConfig"]["authenticationMode"] == "API"
    assert found["encryptionConfig"][0]["resources"] == ["secrets"]
    assert found["logging"]["clusterLogging"] == [{"types": ["api", "audit"], "enabled": True}]
    assert found["upgradePolicy"] == {"supportType": "STANDARD"}
    assert found["deletionProtection"] is True
    assert found["tags"] == {"team": "research"}
    assert found["resourcesVpcConfig"]["vpcId"] == deployer.ids()["Vpc"]
    told = deployer.outputs()
    assert told["Arn"] == found["arn"]
    assert told["Endpoint"] == found["endpoint"]
    groups = deployer.cloud.client("ec2").describe_security_groups(GroupIds=[told["ClusterSecurityGroupId"]])
    assert groups["SecurityGroups"][0]["VpcId"] == deployer.ids()["Vpc"]
    rotation = deployer.cloud.client("kms").get_key_rotation_status(KeyId=deployer.ids()["Key"])
    assert rotation["KeyRotationEnabled"] is True


def test_a_cluster_changes_in_place(deployer: Deployer) -> None:
    deployer.create(cluster(Version="1.33"))
    logging = {"ClusterLogging": {"EnabledTypes": [{"Type": "audit"}]}}
    stack = deployer.update(cluster(Version="1.34", Logging=logging, DeletionProtection=True, Tags=TEAM))
    assert stack["StackStatus"] == "UPDATE_COMPLETE", deployer.reasons()
    found = deployer.cloud.client("eks").describe_cluster(name="atlas")["cluster"]
    assert (found["version"], found["deletionProtection"], found["tags"]) == (
        "1.34",
        True,
        {"team": "research"},
    )
    assert found["logging"]["clusterLogging"][0]["types"] == ["audit"]
    assert deployer.update(cluster(Version="1.33"))["StackStatus"] == "UPDATE_ROLLBACK_COMPLETE"
    assert "Unsupported Kubernetes minor version update from 1.34 to 1.33" in deployer.reasons()
    assert deployer.cloud.client("eks").describe_cluster(name="atlas")["cluster"]["version"] == "1.34"


def test_a_node_group_keeps_every_property_and_changes_in_place(deployer: Deployer) -> None:
    settings = {
        "Labels": {"TeamName": "research", "gone": "soon"},
        "Taints": [{"Key": "nvidia.com/gpu", "Value": "true", "Effect": "NO_SCHEDULE"}],
        "UpdateConfig": {"MaxUnavailablePercentage": 10},
        "NodeRepairConfig": {"Enabled": True},
    }
    deployer.create(node_group(**settings))
    eks = deployer.cloud.client("eks")

    def found() -> dict[str, Any]:
        group: dict[str, Any] = eks.describe_nodegroup(clusterName="atlas", nodegroupName="train")[
            "nodegroup"
        ]
        return group

    assert found()["capacityType"] == "CAPACITY_BLOCK"
    assert found()["scalingConfig"] == {"minSize": 0, "maxSize": 4, "desiredSize": 4}
    assert found()["labels"] == settings["Labels"]
    assert found()["taints"] == [{"key": "nvidia.com/gpu", "value": "true", "effect": "NO_SCHEDULE"}]
    assert found()["nodeRepairConfig"] == {"enabled": True}
    assert found()["launchTemplate"]["version"] == "1"
    arn = found()["nodegroupArn"]
    new = {
        "Labels": {"TeamName": "sales"},
        "Taints": [],
        "ScalingConfig": {"MinSize": 1, "MaxSize": 2, "DesiredSize": 2},
        "NodeRepairConfig": {"Enabled": False},
        "Tags": {"team": "sales"},
    }
    data = block_template(EbsOptimized=True)
    assert deployer.update(node_group(data, **new))["StackStatus"] == "UPDATE_COMPLETE", deployer.reasons()
    assert found()["nodegroupArn"] == arn
    assert found()["labels"] == {"TeamName": "sales"}
    assert found()["taints"] == []
    assert found()["scalingConfig"]["desiredSize"] == 2
    assert found()["launchTemplate"]["version"] == "2"
    assert found()["nodeRepairConfig"] == {"enabled": False}
    assert found()["tags"] == {"team": "sales"}


def test_access_addons_and_identities(deployer: Deployer) -> None:
    admin = "arn:aws:iam::111122223333:role/Admin"
    policy = "arn:aws:eks::aws:cluster-access-policy/AmazonEKSClusterAdminPolicy"
    view = "arn:aws:eks::aws:cluster-access-policy/AmazonEKSViewPolicy"

    def resources(access_policy: str, configuration: dict[str, Any]) -> dict[str, Any]:
        return {
            **cluster(),
            "PodRole": role("pods.eks"),
            "Entry": resource(
                "EKS::AccessEntry",
                ClusterName=ref("Cluster"),
                PrincipalArn=admin,
                AccessPolicies=[{"PolicyArn": access_policy, "AccessScope": {"Type": "cluster"}}],
            ),
            "Cni": resource(
                "EKS::Addon",
                ClusterName=ref("Cluster"),
                AddonName="vpc-cni",
                ConfigurationValues=json.dumps(configuration),
                PodIdentityAssociations=[{"RoleArn": att("PodRole", "Arn"), "ServiceAccount": "aws-node"}],
            ),
            "Identity": resource(
                "EKS::PodIdentityAssociation",
                ClusterName=ref("Cluster"),
                Namespace="default",
                ServiceAccount="trainer",
                RoleArn=att("PodRole", "Arn"),
            ),
        }

    stack = deployer.create(resources(policy, {"env": {"A": "1"}}))
    assert stack["StackStatus"] == "CREATE_COMPLETE", deployer.reasons()
    eks = deployer.cloud.client("eks")

    def policies() -> list[str]:
        answer = eks.list_associated_access_policies(clusterName="atlas", principalArn=admin)
        return [item["policyArn"] for item in answer["associatedAccessPolicies"]]

    assert eks.list_access_entries(clusterName="atlas")["accessEntries"] == [admin]
    assert policies() == [policy]
    addon = eks.describe_addon(clusterName="atlas", addonName="vpc-cni")["addon"]
    assert json.loads(addon["configurationValues"]) == {"env": {"A": "1"}}
    accounts = {
        item["serviceAccount"]
        for item in eks.list_pod_identity_associations(clusterName="atlas")["associations"]
    }
    assert accounts == {"aws-node", "trainer"}
    deployer.update(resources(view, {"env": {"A": "2"}}))
    assert policies() == [view]
    addon = eks.describe_addon(clusterName="atlas", addonName="vpc-cni")["addon"]
    assert json.loads(addon["configurationValues"]) == {"env": {"A": "2"}}
    assert deployer.delete()["StackStatus"] == "DELETE_COMPLETE"


def test_roles_and_their_policies(deployer: Deployer) -> None:
    def document(action: str) -> dict[str, Any]:
        statement = {"Effect": "Allow", "Action": action, "Resource": "*"}
        return {"Version": "2012-10-17", "Statement": [statement]}

    def resources(action: str, managed: str) -> dict[str, Any]:
        nodes = changed({"Nodes": role("ec2")}, "Nodes", ManagedPolicyArns=[managed], Tags=TEAM)
        return {
            **nodes,
            "Inline": resource(
                "IAM::Policy", PolicyName="inline", PolicyDocument=document(action), Roles=[ref("Nodes")]
            ),
            "Managed": resource("IAM::ManagedPolicy", PolicyDocument=document(action), Roles=[ref("Nodes")]),
            "Profile": resource("IAM::InstanceProfile", Roles=[ref("Nodes")]),
        }

    worker, minimal = (
        f"arn:aws:iam::aws:policy/{name}"
        for name in ("AmazonEKSWorkerNodePolicy", "AmazonEKSWorkerNodeMinimalPolicy")
    )
    before = account_contents(deployer.cloud)
    deployer.create(resources("s3:GetObject", worker))
    iam, ids = deployer.cloud.client("iam"), deployer.ids()

    def attached() -> set[str]:
        rows = iam.list_attached_role_policies(RoleName=ids["Nodes"])["AttachedPolicies"]
        return {row["PolicyArn"] for row in rows}

    assert attached() == {worker, ids["Managed"]}
    profile = iam.get_instance_profile(InstanceProfileName=ids["Profile"])["InstanceProfile"]
    assert [item["RoleName"] for item in profile["Roles"]] == [ids["Nodes"]]
    deployer.update(resources("s3:PutObject", minimal))
    assert attached() == {minimal, ids["Managed"]}
    inline = iam.get_role_policy(RoleName=ids["Nodes"], PolicyName="inline")["PolicyDocument"]
    assert inline["Statement"][0]["Action"] == "s3:PutObject"
    version = iam.get_policy(PolicyArn=ids["Managed"])["Policy"]["DefaultVersionId"]
    written = iam.get_policy_version(PolicyArn=ids["Managed"], VersionId=version)["PolicyVersion"]["Document"]
    assert written["Statement"][0]["Action"] == "s3:PutObject"
    assert deployer.delete()["StackStatus"] == "DELETE_COMPLETE", deployer.reasons()
    assert account_contents(deployer.cloud) - before == frozenset()


def test_what_the_cdk_bootstraps_with(deployer: Deployer) -> None:
    statement = {
        "Effect": "Deny",
        "Principal": "*",
        "Action": "s3:*",
        "Resource": {"Fn::Sub": "${Bucket.Arn}/*"},
        "Condition": {"Bool": {"aws:SecureTransport": "false"}},
    }
    resources = {
        "Bucket": resource(
            "S3::Bucket",
            VersioningConfiguration={"Status": "Enabled"},
            PublicAccessBlockConfiguration={"BlockPublicAcls": True, "BlockPublicPolicy": True},
            BucketEncryption={
                "ServerSideEncryptionConfiguration": [
                    {"ServerSideEncryptionByDefault": {"SSEAlgorithm": "aws:kms"}}
                ]
            },
            LifecycleConfiguration={
                "Rules": [
                    {"Id": "old", "Status": "Enabled", "NoncurrentVersionExpiration": {"NoncurrentDays": 30}}
                ]
            },
        ),
        "Policy": resource(
            "S3::BucketPolicy",
            Bucket=ref("Bucket"),
            PolicyDocument={"Version": "2012-10-17", "Statement": [statement]},
        ),
        "Images": resource("ECR::Repository", RepositoryName="images", ImageTagMutability="IMMUTABLE"),
        "Version": resource("SSM::Parameter", Type="String", Name="/version", Value="21"),
        "Key": resource("KMS::Key", Description="assets"),
        "Alias": resource("KMS::Alias", AliasName="alias/assets", TargetKeyId=ref("Key")),
    }
    stack = deployer.create(resources, Outputs={"Version": {"Value": att("Version", "Value")}})
    assert stack["StackStatus"] == "CREATE_COMPLETE", deployer.reasons()
    s3, bucket = deployer.cloud.client("s3"), deployer.ids()["Bucket"]
    assert s3.get_bucket_versioning(Bucket=bucket)["Status"] == "Enabled"
    rules = s3.get_bucket_lifecycle_configuration(Bucket=bucket)["Rules"]
    assert rules[0]["NoncurrentVersionExpiration"] == {"NoncurrentDays": 30}
    policy = json.loads(s3.get_bucket_policy(Bucket=bucket)["Policy"])
    assert policy["Statement"][0]["Resource"] == f"arn:aws:s3:::{bucket}/*"
    s3.put_object(Bucket=bucket, Key="asset", Body=b"a conditional Deny does not deny everything")
    assert deployer.outputs() == {"Version": "21"}
    aliases = deployer.cloud.client("kms").list_aliases(KeyId=deployer.ids()["Key"])["Aliases"]
    assert [alias["AliasName"] for alias in aliases] == ["alias/assets"]
    repositories = deployer.cloud.client("ecr").describe_repositories()["repositories"]
    assert repositories[0]["imageTagMutability"] == "IMMUTABLE"
    assert deployer.delete()["StackStatus"] == "DELETE_FAILED"
    assert "BucketNotEmpty" in deployer.reasons()


def test_a_change_that_a_type_cannot_make_is_refused(deployer: Deployer) -> None:
    group = resource("Logs::LogGroup", LogGroupName="/kept")
    deployer.create({"Logs": group})
    data_protection = {**group["Properties"], "LogGroupClass": "INFREQUENT_ACCESS"}
    stack = deployer.update({"Logs": {**group, "Properties": data_protection}})
    assert stack["StackStatus"] == "UPDATE_ROLLBACK_COMPLETE"
    assert (
        "the embedded AWS cannot change LogGroupClass of AWS::Logs::LogGroup in place" in deployer.reasons()
    )
