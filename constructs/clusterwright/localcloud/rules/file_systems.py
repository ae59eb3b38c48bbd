"""FSx: what a file system may look like, and what may change about it.

The figures are written down here once more, apart from those that cluster.yaml is checked by, so that a
mistake in either shows. Sources, read 2026-11-20: FSx API reference, "CreateFileSystem" and its
configurations; FSx for Lustre user guide, "Increasing storage capacity", "Working with EFA-enabled file
systems", "File system access control with Amazon VPC" and "Managing metadata performance".
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

SSD, TIERING = "SSD", "INTELLIGENT_TIERING"
EFA_STEP_GIB = {125: 38_400, 250: 19_200, 500: 9_600, 1000: 4_800}
FIRST_GENERATION_MBPS = (64, 128, 256, 512, 1024, 2048, 3072, 4096)
SECOND_GENERATION_MBPS = (160, 320, 640, 1280, 2560, 3840, 5120, 7680, 10_240)
OPENZFS_MBPS = {
    "SINGLE_AZ_1": FIRST_GENERATION_MBPS,
    "SINGLE_AZ_HA_1": FIRST_GENERATION_MBPS,
    "SINGLE_AZ_2": SECOND_GENERATION_MBPS,
    "SINGLE_AZ_HA_2": SECOND_GENERATION_MBPS,
    "MULTI_AZ_1": SECOND_GENERATION_MBPS,
}
OPENZFS_GIB = (64, 524_288)
OPENZFS_IOPS_PER_GIB = 3
OPENZFS_GROWTH = 1.1
NOT_ON_PERSISTENT_2 = ("AutoImportPolicy", "ExportPath", "ImportPath", "ImportedFileChunkSize")
LNET_PORT = 988
MOST_METADATA_IOPS = 192_000
TIERING_STEP_MBPS = 4000
CACHE_GIB_PER_STEP = (32, 131_072)


def lustre_problems(params: Mapping[str, Any]) -> Iterator[str]:
    """What FSx refuses in a new FSx for Lustre file system.

    Args:
        params: Of CreateFileSystem.
    """
    config = params.get("LustreConfiguration") or {}
    deployment = config.get("DeploymentType", "SCRATCH_1")
    if deployment != "PERSISTENT_2":
        yield f"The embedded AWS makes Lustre file systems of type PERSISTENT_2, not {deployment}."
        return
    for name in NOT_ON_PERSISTENT_2:
        if name in config:
            yield f"{name} is not supported for PERSISTENT_2: use a data repository association."
    if len(params["SubnetIds"]) != 1:
        yield "A Lustre file system takes one subnet."
    yield from _version_problems(params.get("FileSystemTypeVersion"), config)
    storage_type = params.get("StorageType", SSD)
    if storage_type == SSD:
        yield from _ssd_problems(params.get("StorageCapacity"), config)
    elif storage_type == TIERING:
        yield from _tiering_problems(params.get("StorageCapacity"), config)
    else:
        yield f"StorageType {storage_type} is not supported for PERSISTENT_2."


def openzfs_problems(params: Mapping[str, Any]) -> Iterator[str]:
    """What FSx refuses in a new FSx for OpenZFS file system.

    Args:
        params: Of CreateFileSystem.
    """
    config = params.get("OpenZFSConfiguration") or {}
    deployment, capacity = config.get("DeploymentType"), params.get("StorageCapacity", 0)
    if deployment not in OPENZFS_MBPS:
        yield f"DeploymentType {deployment} is not one of {', '.join(OPENZFS_MBPS)}."
        return
    if params.get("StorageType", SSD) != SSD:
        yield f"The embedded AWS makes OpenZFS file systems with SSD storage, not {params['StorageType']}."
    least, most = OPENZFS_GIB
    if not least <= capacity <= most:
        yield f"StorageCapacity {capacity} is not between {least} and {most} GiB."
    if config.get("ThroughputCapacity") not in OPENZFS_MBPS[deployment]:
        allowed = ", ".join(map(str, OPENZFS_MBPS[deployment]))
        yield (
            f"ThroughputCapacity {config.get('ThroughputCapacity')} is not valid for {deployment}: {allowed}."
        )
    yield from _iops_problems(config.get("DiskIopsConfiguration") or {}, capacity)
    zones = len(params["SubnetIds"])
    if zones != (2 if deployment.startswith("MULTI") else 1):
        yield f"{deployment} does not take {zones} subnet(s)."


def growth_problems(current: Mapping[str, Any], updated: Mapping[str, Any]) -> Iterator[str]:
    """What FSx refuses in a change of a file system.

    Args:
        current: As DescribeFileSystems tells it.
        updated: The same after the change.
    """
    before, after = current.get("StorageCapacity", 0), updated.get("StorageCapacity", 0)
    if after < before:
        yield f"StorageCapacity cannot shrink from {before} to {after} GiB."
    if current["FileSystemType"] == "LUSTRE":
        yield from _lustre_growth_problems(current["LustreConfiguration"], updated["LustreConfiguration"])
    elif before < after < before * OPENZFS_GROWTH:
        yield f"StorageCapacity must grow by at least 10 percent, from {before} GiB; {after} is less."


def lustre_network_problems(groups: Mapping[str, Mapping[str, Any]], *, has_efa: bool) -> Iterator[str]:
    """Whether security groups let Lustre through, as FSx looks when it makes a file system.

    EFA needs all traffic to and from the group itself: a rule with an address range, even 0.0.0.0/0, is not
    enough.

    Args:
        groups: As DescribeSecurityGroups tells them, by id.
        has_efa: Whether the file system has EFA.
    """
    if not any(_lets_lustre_in(group) for group in groups.values()):
        yield (
            "The file system cannot be created because the provided security groups do not permit Lustre "
            "LNET network traffic on port 988."
        )
    if not has_efa:
        return
    for key, direction in (("IpPermissions", "from"), ("IpPermissionsEgress", "to")):
        if not any(_has_all_of_itself(group, key) for group in groups.values()):
            yield f"EFA needs a security group that allows all traffic {direction} itself."


def automatic_metadata_iops(capacity_gib: int) -> int:
    """What FSx gives an SSD file system in metadata mode AUTOMATIC."""
    table = ((2_400, 1_500), (4_800, 3_000), (12_000, 6_000), (48_000, 12_000))
    for below, iops in table:
        if capacity_gib < below:
            return iops
    return capacity_gib // 24_000 * 12_000


def _version_problems(version: str | None, config: Mapping[str, Any]) -> Iterator[str]:
    needs_new = config.get("MetadataConfiguration") or config.get("EfaEnabled")
    if version == "2.10" or (version == "2.12" and needs_new):
        yield f"FileSystemTypeVersion {version} is not supported for this PERSISTENT_2 file system."
    if config.get("EfaEnabled") and not config.get("MetadataConfiguration"):
        yield "EfaEnabled needs a MetadataConfiguration."


def _ssd_problems(capacity: int | None, config: Mapping[str, Any]) -> Iterator[str]:
    throughput = config.get("PerUnitStorageThroughput")
    if throughput not in EFA_STEP_GIB:
        allowed = ", ".join(map(str, EFA_STEP_GIB))
        yield f"PerUnitStorageThroughput {throughput} is not valid for PERSISTENT_2: {allowed}."
        return
    if config.get("EfaEnabled"):
        step = EFA_STEP_GIB[throughput]
        if not capacity or capacity % step:
            yield (
                f"StorageCapacity {capacity} is not a multiple of {step} GiB, which EFA needs at "
                f"{throughput} MB/s/TiB."
            )
    elif capacity != 1200 and (not capacity or capacity % 2400):  # noqa: PLR2004  FSx's own figures
        yield f"StorageCapacity {capacity} is not 1200, 2400 or a multiple of 2400 GiB."
    for name in ("ThroughputCapacity", "DataReadCacheConfiguration"):
        if name in config:
            yield f"{name} is for {TIERING} only."
    yield from _ssd_metadata_problems(config.get("MetadataConfiguration"))


def _ssd_metadata_problems(metadata: Mapping[str, Any] | None) -> Iterator[str]:
    if not metadata:
        return
    mode, iops = metadata["Mode"], metadata.get("Iops")
    if mode == "AUTOMATIC" and iops is not None:
        yield "Iops is for metadata mode USER_PROVISIONED only."
    is_legal = iops in (1500, 3000, 6000) or (iops and iops % 12_000 == 0 and iops <= MOST_METADATA_IOPS)
    if mode == "USER_PROVISIONED" and not is_legal:
        yield f"Metadata Iops {iops} is not 1500, 3000, 6000 or a multiple of 12000 up to 192000."


def _tiering_problems(capacity: int | None, config: Mapping[str, Any]) -> Iterator[str]:
    throughput = config.get("ThroughputCapacity")
    if capacity is not None:
        yield f"StorageCapacity is not for {TIERING}: it grows with what is in it."
    if "PerUnitStorageThroughput" in config:
        yield f"PerUnitStorageThroughput is not for {TIERING}."
    if not throughput or throughput % TIERING_STEP_MBPS:
        yield f"ThroughputCapacity {throughput} is not a multiple of {TIERING_STEP_MBPS} MB/s."
        return
    metadata = config.get("MetadataConfiguration") or {}
    if metadata.get("Mode") != "USER_PROVISIONED" or metadata.get("Iops") not in (6000, 12_000):
        yield f"{TIERING} needs metadata mode USER_PROVISIONED with 6000 or 12000 Iops."
    yield from _cache_problems(config.get("DataReadCacheConfiguration"), throughput // TIERING_STEP_MBPS)


def _cache_problems(cache: Mapping[str, Any] | None, servers: int) -> Iterator[str]:
    if cache is None:
        yield f"{TIERING} needs a DataReadCacheConfiguration."
        return
    size, is_sized = cache.get("SizeGiB"), cache["SizingMode"] == "USER_PROVISIONED"
    least, most = (servers * each for each in CACHE_GIB_PER_STEP)
    if is_sized and not least <= (size or 0) <= most:
        yield f"SizeGiB {size} of the read cache is not between {least} and {most}."
    if not is_sized and size is not None:
        yield "SizeGiB is for sizing mode USER_PROVISIONED only."


def _iops_problems(iops: Mapping[str, Any], capacity: int) -> Iterator[str]:
    least = OPENZFS_IOPS_PER_GIB * capacity
    if iops.get("Mode") == "USER_PROVISIONED" and iops.get("Iops", 0) < least:
        yield f"Iops {iops.get('Iops')} is less than 3 for each GiB, {least}."


def _lustre_growth_problems(before: Mapping[str, Any], after: Mapping[str, Any]) -> Iterator[str]:
    for label, old, new in (
        ("Metadata Iops", _metadata_iops(before), _metadata_iops(after)),
        ("ThroughputCapacity", before.get("ThroughputCapacity", 0), after.get("ThroughputCapacity", 0)),
    ):
        if new < old:
            yield f"{label} cannot shrink from {old} to {new}."


def _metadata_iops(config: Mapping[str, Any]) -> int:
    return int((config.get("MetadataConfiguration") or {}).get("Iops", 0))


def _lets_lustre_in(group: Mapping[str, Any]) -> bool:
    return any(
        rule["IpProtocol"] == "-1" or rule.get("FromPort", 0) <= LNET_PORT <= rule.get("ToPort", 0)
        for rule in group["IpPermissions"]
    )


def _has_all_of_itself(group: Mapping[str, Any], key: str) -> bool:
    return any(
        rule["IpProtocol"] == "-1"
        and any(pair["GroupId"] == group["GroupId"] for pair in rule["UserIdGroupPairs"])
        for rule in group[key]
    )
