"""The node labels and the tags that clusterwright sets, by which workloads and people find things."""

from __future__ import annotations

from hashlib import sha256

LABEL_DOMAIN = "clusterwright.dev"

POOL_LABEL = f"{LABEL_DOMAIN}/pool"
"""The user's name of the pool."""

PURPOSE_LABEL = f"{LABEL_DOMAIN}/purpose"
"""What runs there: ``system``, ``batch``, ``realtime`` or ``interactive``."""

CAPACITY_TYPE_LABEL = f"{LABEL_DOMAIN}/capacity-type"
"""How the nodes are bought, such as ``capacity-block``."""

ACCELERATOR_LABEL = f"{LABEL_DOMAIN}/accelerator"
"""EC2's name of the accelerator, in lower case, such as ``h200``."""

MOUNT_ANNOTATION = f"{LABEL_DOMAIN}/mount-path"
"""On a volume: the directory at which the file says that it is found."""

CLUSTER_TAG = "clusterwright:cluster"
"""Tag on every stack and resource: the name of its cluster."""

SOFTWARE_TAG = "clusterwright:software"
"""Tag on every node: the content hash of the versions that it runs."""

POOL_TAG = "clusterwright:pool"
"""Tag on everything that belongs to a pool: its name."""


def storage_label(volume: str) -> str:
    """The label of nodes on which a volume may be used.

    A label an item rather than a list of pools in the volume: Kubernetes lets labels change, volumes not. The
    volume's name and no more, since EKS takes 63 characters of a key, the domain among them.
    """
    return f"{LABEL_DOMAIN}/{volume}"


VOLUME_PREFIXES = {"buckets": "s3", "express": "s3express", "lustre": "lustre"}


def volume_name(item: str) -> str:
    """The name of an item's volume and class, such as ``s3-datasets`` for ``buckets.datasets``."""
    section, _, name = item.partition(".")
    return f"{VOLUME_PREFIXES[section]}-{name}" if name else section


def pascal_case(name: str) -> str:
    """A user's name as part of a construct's id: another one for each name, so ``v1b`` is no ``v1-b``.

    A hyphen before a digit stays, for digits have no capitals.
    """
    words = [word.capitalize() for word in name.split("-")]
    return "".join(f"-{word}" if word[:1].isdigit() else word for word in words)


def output_id(name: str) -> str:
    """A user's name as the id of a stack's output, which has letters and digits only.

    The CDK drops the hyphens that `pascal_case` leaves and, at the top of a stack, adds no digest of the path
    that would keep ``a1`` apart from ``a-1``. So a digest of ours does, where a hyphen was left.
    """
    words = pascal_case(name)
    if "-" not in words:
        return words
    return words.replace("-", "") + sha256(name.encode()).hexdigest()[:6].upper()
