"""Storage: buckets, file systems, their security, and what Kubernetes sees of them."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import aws_cdk as cdk
import pytest
from aws_cdk import aws_ec2 as ec2
from aws_cdk import aws_kms as kms
from aws_cdk.assertions import Match, Template
from synthesis import BLOCK, synthesize_cluster

from clusterwright.config.loading import load_cluster
from clusterwright.config.storage import StorageConfig
from clusterwright.storage import ClusterStorage

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from synthesis import Templates

POOLS = {
    "train": {"instance_type": "p5en.48xlarge", "count": 16, "capacity": "h200"},
    "serve": {"instance_type": "g6e.12xlarge", "count": 2, "purpose": "realtime"},
}
SCRATCH = {"capacity_gib": 4800, "throughput_mbps_per_tib": 250}


@pytest.fixture(scope="session")
def tiers(root: Path, tmp_path_factory: pytest.TempPathFactory) -> Templates:
    """The templates of the storage example."""
    cluster = load_cluster(root / "docs" / "examples" / "storage-tiers.yaml")
    return synthesize_cluster(cluster, tmp_path_factory.mktemp("tiers"))


@pytest.fixture
def with_storage(synthesize: Callable[..., Templates]) -> Callable[..., Templates]:
    """Synthesize a cluster with two accelerated pools and some storage."""

    def run(**storage: Any) -> Templates:
        return synthesize(pools=POOLS, capacity={"h200": BLOCK}, storage=storage)

    return run


def named(templates: Templates, part: str, kind: str, word: str) -> dict[str, Any]:
    """The only resource of a type whose logical id holds a word."""
    (found,) = [each for key, each in templates.resources(part, kind).items() if word in key]
    return found


def manifests(templates: Templates, word: str) -> list[dict[str, Any]]:
    """The manifests of one volume, references replaced by the names of the outputs that they read."""
    resource = named(templates, "platform", "Custom::AWSCDK-EKS-KubernetesResource", word)
    value = resource["Properties"]["Manifest"]
    if isinstance(value, dict):
        parts = value["Fn::Join"][1]
        value = "".join(each if isinstance(each, str) else reference(each) for each in parts)
    found: list[dict[str, Any]] = json.loads(value)
    return found


def reference(value: dict[str, Any]) -> str:
    """What a reference names: a parameter, or the output of another stack."""
    (argument,) = value.values()
    return str(argument["OutputName"] if isinstance(argument, dict) else argument)


def test_no_storage_means_no_stack(synthesize: Callable[..., Templates]) -> None:
    templates = synthesize()
    assert "storage" not in list(templates)
    assert not templates.resources("platform", "AWS::Lambda::Function")


def test_no_stack_holds_an_entry_back(tiers: Templates) -> None:
    """CloudFormation deletes no export that is in use, and storage is deployed before what uses it."""
    assert not any("Export" in output for output in tiers["storage"]["Outputs"].values())
    for part in tiers:
        assert "tiers-storage:" not in json.dumps(tiers[part]), part


def test_buckets_are_private_encrypted_and_logged(tiers: Templates) -> None:
    buckets = tiers.resources("storage", "AWS::S3::Bucket")
    assert len(buckets) == 4  # three of the example's own, and their access logs
    for name, bucket in buckets.items():
        properties = bucket["Properties"]
        assert all(properties["PublicAccessBlockConfiguration"].values()), name
        assert "BucketEncryption" in properties
        assert ("LoggingConfiguration" in properties) == ("AccessLogs" not in name)
        assert bucket["DeletionPolicy"] in ("Retain", "RetainExceptOnCreate")
    policies = tiers.resources("storage", "AWS::S3::BucketPolicy").values()
    assert len(list(policies)) == 4
    assert all("aws:SecureTransport" in json.dumps(each) for each in policies)


def test_checkpoints_expire_and_so_do_their_old_versions(tiers: Templates) -> None:
    bucket = named(tiers, "storage", "AWS::S3::Bucket", "BucketCheckpoints")["Properties"]
    rules = {rule["Id"]: rule for rule in bucket["LifecycleConfiguration"]["Rules"]}
    assert rules["expire"]["ExpirationInDays"] == 60
    assert rules["expire-old-versions"]["NoncurrentVersionExpiration"] == {"NoncurrentDays": 7}
    assert rules["abort-incomplete-uploads"]["AbortIncompleteMultipartUpload"] == {"DaysAfterInitiation": 7}
    assert bucket["VersioningConfiguration"] == {"Status": "Enabled"}
    encryption = bucket["BucketEncryption"]["ServerSideEncryptionConfiguration"][0]
    assert encryption["ServerSideEncryptionByDefault"]["SSEAlgorithm"] == "aws:kms"
    assert encryption["BucketKeyEnabled"] is True


def test_classes_follow_the_file(tiers: Templates) -> None:
    def transitions(word: str) -> list[tuple[str, int]]:
        bucket = named(tiers, "storage", "AWS::S3::Bucket", word)["Properties"]
        rules = {rule["Id"]: rule for rule in bucket["LifecycleConfiguration"]["Rules"]}
        found = rules["move-to-cheaper-classes"]["Transitions"]
        return [(each["StorageClass"], each["TransitionInDays"]) for each in found]

    assert transitions("BucketDatasets") == [("INTELLIGENT_TIERING", 0)]
    assert transitions("BucketArchive") == [("GLACIER_IR", 30), ("DEEP_ARCHIVE", 180)]


def test_a_bucket_that_exists_is_not_made(tiers: Templates) -> None:
    assert "example-corp-corpus" not in json.dumps(tiers["storage"]["Resources"])
    assert "example-corp-corpus" in json.dumps(tiers["platform"]["Resources"])


def test_data_survives_replacement_even_if_the_user_lets_it_go(
    with_storage: Callable[..., Templates],
) -> None:
    templates = with_storage(
        buckets={"tmp": {"retain": False}},
        express={"hot": {"retain": False}},
        lustre={"scratch": {**SCRATCH, "retain": False}},
        home={"kind": "openzfs", "capacity_gib": 1024, "throughput_mbps": 320, "retain": False},
    )
    for kind, word in (
        ("AWS::S3::Bucket", "BucketTmp"),
        ("AWS::S3Express::DirectoryBucket", "Hot"),
        ("AWS::FSx::FileSystem", "LustreScratch"),
        ("AWS::FSx::FileSystem", "Home"),
    ):
        resource = named(templates, "storage", kind, word)
        assert resource["DeletionPolicy"] == "Delete", word
        assert resource["UpdateReplacePolicy"] == "Retain", word
    assert templates.resources("storage", "Custom::S3AutoDeleteObjects")


def test_lustre_sits_with_the_nodes(tiers: Templates) -> None:
    scratch = named(tiers, "storage", "AWS::FSx::FileSystem", "LustreScratch")["Properties"]
    assert "NodesSubnet" in json.dumps(scratch["SubnetIds"])
    assert scratch["StorageCapacity"] == 19200
    assert scratch["LustreConfiguration"] == {
        "AutomaticBackupRetentionDays": 0,
        "DataCompressionType": "LZ4",
        "DeploymentType": "PERSISTENT_2",
        "EfaEnabled": True,
        "MetadataConfiguration": {"Mode": "USER_PROVISIONED", "Iops": 12000},
        "PerUnitStorageThroughput": 1000,
    }


def test_intelligent_tiering_has_throughput_and_no_size(tiers: Templates) -> None:
    archive = named(tiers, "storage", "AWS::FSx::FileSystem", "LustreArchive")["Properties"]
    assert archive["StorageType"] == "INTELLIGENT_TIERING"
    assert "StorageCapacity" not in archive
    configuration = archive["LustreConfiguration"]
    assert configuration["ThroughputCapacity"] == 4000
    assert configuration["MetadataConfiguration"] == {"Mode": "USER_PROVISIONED", "Iops": 6000}
    assert configuration["DataReadCacheConfiguration"] == {
        "SizingMode": "PROPORTIONAL_TO_THROUGHPUT_CAPACITY"
    }


@pytest.mark.parametrize(
    ("read_cache_gib", "expected"),
    [(0, {"SizingMode": "NO_CACHE"}), (320, {"SizingMode": "USER_PROVISIONED", "SizeGiB": 320})],
)
def test_read_cache(
    with_storage: Callable[..., Templates], read_cache_gib: int, expected: dict[str, Any]
) -> None:
    lustre = {
        "cold": {"type": "intelligent-tiering", "throughput_mbps": 4000, "read_cache_gib": read_cache_gib}
    }
    system = named(with_storage(lustre=lustre), "storage", "AWS::FSx::FileSystem", "LustreCold")
    assert system["Properties"]["LustreConfiguration"]["DataReadCacheConfiguration"] == expected


def test_links_import_and_export_what_is_asked(tiers: Templates) -> None:
    link = named(tiers, "storage", "AWS::FSx::DataRepositoryAssociation", "Linkcheckpoints")["Properties"]
    assert link["FileSystemPath"] == "/checkpoints"
    assert link["S3"] == {
        "AutoImportPolicy": {"Events": ["NEW"]},
        "AutoExportPolicy": {"Events": ["NEW", "CHANGED", "DELETED"]},
    }
    datasets = named(tiers, "storage", "AWS::FSx::DataRepositoryAssociation", "Linkdatasets")["Properties"]
    assert "AutoExportPolicy" not in datasets["S3"]


def test_links_whose_paths_look_alike_are_links_of_their_own(
    with_storage: Callable[..., Templates],
) -> None:
    paths = ["/a-b", "/a--b", "/a_b", "/a/b", "/a.b", "/aB", "/ab"]
    names = [f"part{number}" for number in range(len(paths))]
    links = [{"bucket": name, "path": path} for name, path in zip(names, paths, strict=True)]
    made = with_storage(
        buckets={name: {} for name in names},
        lustre={"scratch": SCRATCH | {"links": links}},
    )
    found = made.resources("storage", "AWS::FSx::DataRepositoryAssociation").values()
    assert sorted(each["Properties"]["FileSystemPath"] for each in found) == sorted(paths)


def test_only_the_pools_that_use_a_file_system_mount_it(with_storage: Callable[..., Templates]) -> None:
    templates = with_storage(lustre={"scratch": {**SCRATCH, "pools": ["train"]}})
    volume = manifests(templates, "LustreScratch")[1]
    (term,) = volume["spec"]["nodeAffinity"]["required"]["nodeSelectorTerms"]
    label = "clusterwright.dev/lustre-scratch"
    assert term["matchExpressions"] == [{"key": label, "operator": "Exists"}]

    def labels(pool: str) -> dict[str, str]:
        found: dict[str, str] = templates.one(f"pool-{pool}", "AWS::EKS::Nodegroup")["Labels"]
        return found

    assert label in labels("train")
    assert label not in labels("serve")
    assert label not in labels("system")


def test_volumes_do_not_change_with_the_pools(with_storage: Callable[..., Templates]) -> None:
    """Kubernetes refuses to change the affinity of a volume."""

    def volume(pools: list[str]) -> list[dict[str, Any]]:
        return manifests(with_storage(lustre={"scratch": {**SCRATCH, "pools": pools}}), "LustreScratch")

    assert volume(["train"]) == volume(["serve", "train"])


def test_file_systems_wait_for_the_rules_of_their_security_group(tiers: Templates) -> None:
    scratch = named(tiers, "storage", "AWS::FSx::FileSystem", "LustreScratch")
    assert any("LustreScratchAccessOwnAllIn" in each for each in scratch["DependsOn"])
    assert any("LustreScratchAccessOwnAllOut" in each for each in scratch["DependsOn"])


def test_homes_are_for_every_pool(tiers: Templates) -> None:
    for pool in ("system", "notebook", "train"):
        data = tiers.launch_template(pool)
        assert "AccessHomeClients" in json.dumps(data.get("NetworkInterfaces") or data["SecurityGroupIds"])
    home = named(tiers, "storage", "AWS::FSx::FileSystem", "Home")["Properties"]["OpenZFSConfiguration"]
    assert home["DeploymentType"] == "SINGLE_AZ_HA_2"
    assert home["ThroughputCapacity"] == 1280
    # In the file system's own root volume, a changed quota would replace the file system.
    assert "RootVolumeConfiguration" not in home
    volume = tiers.one("storage", "AWS::FSx::Volume")["OpenZFSConfiguration"]
    assert volume["UserAndGroupQuotas"] == [{"Type": "USER", "Id": 1000, "StorageCapacityQuotaGiB": 100}]
    assert manifests(tiers, "VolumeHome")[1]["spec"]["nfs"]["path"] == "/fsx/home"
    schedule = tiers.one("storage", "AWS::Scheduler::Schedule")
    assert schedule["ScheduleExpression"] == "cron(0 3 * * ? *)"
    assert "VolumeId" in json.dumps(schedule["Target"]["Input"])


def test_interfaces_stay_within_ec2s_five_groups(tiers: Templates) -> None:
    for interface in tiers.launch_template("train")["NetworkInterfaces"]:
        assert len(interface["Groups"]) == 4


def test_express_is_named_for_its_zone(tiers: Templates) -> None:
    bucket = tiers.one("storage", "AWS::S3Express::DirectoryBucket")
    assert bucket["LocationName"] == "usw2-az3"
    assert json.dumps(bucket["BucketName"]).endswith('--usw2-az3--x-s3"]]}')


def test_drivers_may_do_what_they_need_and_no_more(tiers: Templates) -> None:
    policies = tiers.resources("platform", "AWS::IAM::Policy")
    (fsx,) = [each["Properties"] for key, each in policies.items() if "FsxCsi" in key]
    assert [each["Action"] for each in fsx["PolicyDocument"]["Statement"]] == ["fsx:DescribeFileSystems"]
    (s3,) = [each["Properties"] for key, each in policies.items() if "S3Csi" in key]
    written = [
        json.dumps(each["Resource"])
        for each in s3["PolicyDocument"]["Statement"]
        if "s3:PutObject" in each["Action"]
    ]
    assert "checkpoints" in "".join(written)
    assert "datasets" not in "".join(written)
    assert "example-corp-corpus" not in "".join(written)


KEY = "arn:aws:kms:us-east-2:111122223333:key/1234abcd-12ab-34cd-56ef-1234567890ab"


def driver_rights(templates: Templates) -> list[tuple[set[str], str]]:
    """What the S3 driver may do, and to what."""
    policies = templates.resources("platform", "AWS::IAM::Policy")
    found = [each["Properties"]["PolicyDocument"] for key, each in policies.items() if "S3Csi" in key]
    statements = [statement for document in found for statement in document["Statement"]]
    actions = [each["Action"] for each in statements]
    names = [{each} if isinstance(each, str) else set(each) for each in actions]
    return list(zip(names, (json.dumps(each["Resource"]) for each in statements), strict=True))


def test_a_directory_bucket_that_exists_is_used_and_not_made(with_storage: Callable[..., Templates]) -> None:
    name = "hot--usw2-az3--x-s3"
    templates = with_storage(express={"hot": {"existing": name, "kms": KEY}})
    assert templates.resources("storage", "AWS::S3Express::DirectoryBucket") == {}
    assert any(f"bucket/{name}" in resource for _, resource in driver_rights(templates))
    (actions,) = [actions for actions, resource in driver_rights(templates) if KEY in resource]
    assert actions == {"kms:Decrypt", "kms:GenerateDataKey"}
    _, volume = manifests(templates, "Hot")
    assert volume["spec"]["csi"]["volumeAttributes"]["bucketName"] == name


def test_the_s3_driver_has_no_rights_to_what_nobody_uses(with_storage: Callable[..., Templates]) -> None:
    templates = with_storage(
        buckets={"used": {}, "idle": {"pools": [], "kms": "own"}},
        express={"warm": {}, "cold": {"pools": []}},
    )
    rights = driver_rights(templates)
    resources = "".join(resource for _, resource in rights)
    assert "atlas--used-" in resources
    assert "atlas--warm-" in resources
    assert "atlas--idle-" not in resources
    assert "atlas--cold-" not in resources
    assert not any(action.startswith("kms:") for actions, _ in rights for action in actions)


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ({"existing": "corp-corpus"}, {"kms:Decrypt", "kms:GenerateDataKey"}),
        ({"existing": "corp-corpus", "read_only": True}, {"kms:Decrypt"}),
        ({}, {"kms:Decrypt", "kms:GenerateDataKey"}),
    ],
)
def test_the_s3_driver_uses_the_key_that_a_bucket_has(
    with_storage: Callable[..., Templates], fields: dict[str, Any], expected: set[str]
) -> None:
    templates = with_storage(buckets={"corpus": {**fields, "kms": KEY}})
    (actions,) = [actions for actions, resource in driver_rights(templates) if KEY in resource]
    assert actions == expected


def test_volumes_are_static_and_never_buy_anything(tiers: Templates) -> None:
    resources = tiers.resources("platform", "Custom::AWSCDK-EKS-KubernetesResource")
    kinds = set()
    for key in resources:
        storage_class, volume = manifests(tiers, key)
        kinds.add((storage_class["kind"], volume["kind"]))
        assert storage_class["provisioner"] == "kubernetes.io/no-provisioner"
        assert volume["spec"]["storageClassName"] == storage_class["metadata"]["name"]
        assert volume["spec"]["persistentVolumeReclaimPolicy"] == "Retain"
    assert kinds == {("StorageClass", "PersistentVolume")}
    assert len(resources) == 8


def test_volumes_tell_where_the_file_mounts_them(tiers: Templates) -> None:
    told = {
        name: manifests(tiers, name)[1]["metadata"].get("annotations")
        for name in ("LustreScratch", "Home", "S3Datasets")
    }
    assert told == {
        "LustreScratch": {"clusterwright.dev/mount-path": "/fsx"},
        "Home": {"clusterwright.dev/mount-path": "/home"},
        "S3Datasets": None,
    }


def test_lustre_volume_names_its_file_system(tiers: Templates) -> None:
    volume = manifests(tiers, "LustreScratch")[1]["spec"]
    assert volume["capacity"] == {"storage": "19200Gi"}
    assert volume["accessModes"] == ["ReadWriteMany"]
    assert volume["csi"]["driver"] == "fsx.csi.aws.com"
    assert "LustreMountName" in volume["csi"]["volumeAttributes"]["mountname"]


def test_read_only_bucket_is_mounted_read_only(tiers: Templates) -> None:
    datasets = manifests(tiers, "S3Datasets")[1]["spec"]
    assert datasets["accessModes"] == ["ReadOnlyMany"]
    assert "read-only" in datasets["mountOptions"]
    checkpoints = manifests(tiers, "S3Checkpoints")[1]["spec"]
    assert checkpoints["accessModes"] == ["ReadWriteMany"]
    assert {"allow-delete", "allow-overwrite", "region us-west-2"} <= set(checkpoints["mountOptions"])


def test_local_disks_follow_the_file(with_storage: Callable[..., Templates]) -> None:
    templates = with_storage(local_nvme={"raid": "none", "mount": "/nvme", "uses": ["scratch"]})
    user_data = json.dumps(templates.launch_template("train")["UserData"]["Fn::Base64"])
    for line in ("strategy: Mount", "mountPath: /nvme", "- Containerd"):
        assert line in user_data
    assert "localStorage" not in json.dumps(templates.launch_template("system")["UserData"]["Fn::Base64"])


def test_storage_outlives_the_cluster_stack(tiers: Templates) -> None:
    assert tiers.dependencies("storage") == {"tiers-network"}


def test_storage_brings_its_own_vpc_and_key() -> None:
    stack = cdk.Stack(cdk.App(), "Mine", env=cdk.Environment(region="us-east-2"))
    config = StorageConfig.model_validate(
        {"buckets": {"data": {"kms": "own"}}, "lustre": {"scratch": {**SCRATCH, "kms": "own"}}}
    )
    ClusterStorage(
        stack,
        "Storage",
        config=config,
        name="mine",
        vpc=ec2.Vpc.from_vpc_attributes(
            stack, "Vpc", vpc_id="vpc-12345678", availability_zones=["us-east-2a"]
        ),
        zone="use2-az1",
        subnet_id="subnet-12345678",
        key=kms.Key.from_key_arn(stack, "Key", "arn:aws:kms:us-east-2:111122223333:key/mine"),
    )
    template = Template.from_stack(stack)
    template.resource_count_is("AWS::KMS::Key", 0)
    template.has_resource_properties(
        "AWS::FSx::FileSystem",
        Match.object_like(
            {"KmsKeyId": "arn:aws:kms:us-east-2:111122223333:key/mine", "SubnetIds": ["subnet-12345678"]}
        ),
    )


def test_names_that_look_alike_are_kept_apart(with_storage: Callable[..., Templates]) -> None:
    templates = with_storage(buckets={"v1b": {}, "v1-b": {}})
    names = [
        each["Properties"].get("BucketName")
        for each in templates.resources("storage", "AWS::S3::Bucket").values()
    ]
    assert len({str(name) for name in names if name}) == 2


def test_the_logs_go_with_the_last_bucket(with_storage: Callable[..., Templates]) -> None:
    def policy(*, keeps_data: bool) -> str:
        templates = with_storage(
            buckets={"tmp": {"retain": False}, "data": {"retain": keeps_data}},
            lustre={"scratch": SCRATCH},
        )
        logs = named(templates, "storage", "AWS::S3::Bucket", "AccessLogs")
        assert logs["UpdateReplacePolicy"] == "Retain"
        found: str = logs["DeletionPolicy"]
        return found

    assert policy(keeps_data=True) == "RetainExceptOnCreate"
    assert policy(keeps_data=False) == "Delete"


@pytest.mark.parametrize("retain", [True, False])
def test_the_key_outlives_all_that_this_file_encrypts(
    with_storage: Callable[..., Templates], *, retain: bool
) -> None:
    """What an earlier file encrypted with it may have stayed behind, and this one tells nothing of it."""
    item = {"kms": "own", "retain": retain}
    templates = with_storage(buckets={"data": item}, express={"hot": item})
    (key,) = templates.resources("storage", "AWS::KMS::Key").values()
    assert (key["DeletionPolicy"], key["UpdateReplacePolicy"]) == ("RetainExceptOnCreate", "Retain")


def test_logs_are_deleted_once_nobody_writes_any(with_storage: Callable[..., Templates]) -> None:
    templates = with_storage(buckets={"tmp": {"retain": False}})
    bucket = named(templates, "storage", "AWS::S3::Bucket", "BucketTmp")
    emptying = [each for each in bucket["DependsOn"] if "AccessLogsBucketAutoDeleteObjects" in each]
    assert len(emptying) == 1


def test_homes_that_may_go_take_their_snapshots_along(with_storage: Callable[..., Templates]) -> None:
    def options(*, retain: bool) -> list[list[str] | None]:
        home = {"kind": "openzfs", "capacity_gib": 64, "throughput_mbps": 160, "snapshots": "daily"}
        templates = with_storage(home={**home, "retain": retain})
        kinds = ("AWS::FSx::FileSystem", "AWS::FSx::Volume")
        return [templates.one("storage", kind)["OpenZFSConfiguration"].get("Options") for kind in kinds]

    assert options(retain=False) == [["DELETE_CHILD_VOLUMES_AND_SNAPSHOTS"]] * 2
    assert options(retain=True) == [None, None]


def test_snapshots_are_taken_in_every_partition(tiers: Templates) -> None:
    target = tiers.one("storage", "AWS::Scheduler::Schedule")["Target"]["Arn"]
    assert {"Ref": "AWS::Partition"} in target["Fn::Join"][1]


def linking_statements(templates: Templates) -> list[dict[str, Any]]:
    """What the key's policy says beside the account's own rights."""
    policy = templates.one("storage", "AWS::KMS::Key")["KeyPolicy"]
    return [each for each in policy["Statement"] if "Condition" in each]


def test_fsx_uses_the_key_for_linked_buckets_alone(with_storage: Callable[..., Templates]) -> None:
    own = {"kms": "own"}
    link = {"bucket": "linked", "path": "/data"}
    templates = with_storage(
        buckets={"linked": own, "other": own}, lustre={"scratch": {**SCRATCH, "links": [link]}}
    )
    (statement,) = linking_statements(templates)
    assert statement["Principal"] == {"AWS": "*"}
    assert statement["Effect"] == "Allow"
    condition = statement["Condition"]
    assert "AWSServiceRoleForFSxS3Access_*" in json.dumps(condition["ArnLike"]["aws:PrincipalArn"])
    assert condition["StringEquals"] == {
        "kms:CallerAccount": {"Ref": "AWS::AccountId"},
        "kms:ViaService": "s3.us-east-2.amazonaws.com",
    }
    contexts = json.dumps(condition["StringLike"]["kms:EncryptionContext:aws:s3:arn"])
    assert "atlas--linked-" in contexts
    assert "atlas--other-" not in contexts


@pytest.mark.parametrize(
    "storage",
    [
        {"buckets": {"data": {"kms": "own"}}, "lustre": {"scratch": SCRATCH}},
        {
            "buckets": {"data": {}},
            "lustre": {
                "scratch": {**SCRATCH, "kms": "own", "links": [{"bucket": "data", "path": "/data"}]},
            },
        },
    ],
    ids=["no link", "another key"],
)
def test_fsx_uses_the_key_for_no_other_bucket(
    with_storage: Callable[..., Templates], storage: dict[str, Any]
) -> None:
    assert linking_statements(with_storage(**storage)) == []
