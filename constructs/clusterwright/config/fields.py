"""The words of the domain as types: names, zone ids, CIDR blocks, AWS ids."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from ipaddress import IPv4Interface
from typing import Annotated, Any, TypeVar

from pydantic import AfterValidator, BeforeValidator, Field, Strict
from pydantic_core import PydanticCustomError

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Form:
    """What text of one pattern looks like, in words, for a person who has just got it wrong."""

    noun: str
    rule: str
    example: str


FORMS: dict[str, Form] = {}
"""The form behind each pattern that a field has."""


def _form(pattern: str, noun: str, rule: str, example: str) -> Any:  # noqa: ANN401  as pydantic's Field
    """Text of a pattern, and the words to explain the pattern with."""
    FORMS[pattern] = Form(noun, rule, example)
    return Field(pattern=pattern, examples=[example])


def malformed(message: str) -> PydanticCustomError:
    """The error of a field's own check: the text has the right pattern, but means nothing."""
    return PydanticCustomError("malformed", "{words}", {"words": message})


def contradiction(field: str, message: str, among: tuple[str, ...] = ()) -> PydanticCustomError:
    """The error of a section's own check.

    Args:
        field: The field to place it at; empty for the section.
        message: What is wrong.
        among: The fields of which one must be wrong; unless they are named, it may be any.
    """
    return PydanticCustomError("contradiction", "{words}", {"words": message, "field": field, "among": among})


# No two hyphens together, for they part the names in longer ones; none at the end, which Kubernetes refuses.
_NAME = r"^[a-z](-?[a-z0-9])*$"
_NAME_RULE = "lower-case letters and digits, with single hyphens between them, beginning with a letter"
_NAME_LENGTH = 32

ClusterName = Annotated[str, Field(max_length=_NAME_LENGTH), _form(_NAME, "a name", _NAME_RULE, "atlas")]
"""Lower-case letters, digits and single hyphens, from a letter on, at most 32 characters."""

ItemName = Annotated[str, Field(max_length=_NAME_LENGTH), _form(_NAME, "a name", _NAME_RULE, "train")]
"""The user's own name for a pool or a capacity; it names AWS resources, so a change replaces them."""

Region = Annotated[
    str,
    _form(r"^[a-z]{2}(-[a-z]+)+-[0-9]$", "an AWS region", "the region's code, not a zone's", "us-east-2"),
]
AccountId = Annotated[
    str, _form(r"^[0-9]{12}$", "an AWS account id", "twelve digits, in quotes", "111122223333")
]
ZoneId = Annotated[
    str,
    _form(
        r"^[a-z]{2,4}[0-9]-([a-z]{3}[0-9]-)?az[0-9]$",
        "a zone id",
        "the id, not the name: us-east-2a is a different zone in each account",
        "use2-az3",
    ),
]
"""An availability or local zone *id*: the same zone in every account, unlike a zone name."""

InstanceType = Annotated[
    str,
    _form(r"^[a-z0-9-]+\.[a-z0-9-]+$", "an instance type", "family, dot, size, lower case", "p5en.48xlarge"),
]
UltraServerType = Annotated[
    str,
    _form(r"^u-[a-z0-9-]+x[0-9]+$", "an UltraServer type", "u-, family, x, accelerators", "u-p6e-gb200x72"),
]
CapacityReservationId = Annotated[
    str,
    _form(
        r"^cr-[0-9a-f]{8,17}$",
        "the id of a capacity reservation",
        "cr- and 8 to 17 hexadecimal digits",
        "cr-0123456789abcdef0",
    ),
]
RoleArn = Annotated[
    str,
    _form(
        r"^arn:aws[a-z-]*:iam::[0-9]{12}:(role|user)/[\w+=,.@/-]+$",
        "the ARN of an IAM role or user",
        "arn:aws:iam::, account id, :role/ or :user/, name",
        "arn:aws:iam::111122223333:role/Admin",
    ),
]
VpcId = Annotated[
    str,
    _form(
        r"^vpc-[0-9a-f]{8,17}$",
        "a VPC id",
        "vpc- and 8 to 17 hexadecimal digits",
        "vpc-0123456789abcdef0",
    ),
]
SubnetId = Annotated[
    str,
    _form(
        r"^subnet-[0-9a-f]{8,17}$",
        "a subnet id",
        "subnet- and 8 to 17 hexadecimal digits",
        "subnet-0123456789abcdef0",
    ),
]
KubernetesVersion = Annotated[
    str, _form(r"^1\.[0-9]{2}$", "a Kubernetes version", "major and minor version, in quotes", "1.34")
]
Taint = Annotated[
    str,
    _form(
        r"^[A-Za-z0-9./_-]{1,63}(=[A-Za-z0-9._-]{0,63})?:(NoSchedule|PreferNoSchedule|NoExecute)$",
        "a taint",
        "key=value:Effect, with at most 63 characters in key and value, and NoSchedule, PreferNoSchedule or "
        "NoExecute",
        "team=research:NoSchedule",
    ),
]
# EKS takes no more of a key than 63 characters, with its domain, and no empty value (CreateNodegroup).
LabelKey = Annotated[
    str,
    Field(max_length=63),
    _form(
        r"^([a-z0-9.-]+/)?[A-Za-z0-9]([A-Za-z0-9._-]{0,61}[A-Za-z0-9])?$",
        "a Kubernetes label's key",
        "letters, digits, - _ . between letters or digits, after an optional domain and /, at most 63 in all",
        "example.com/team",
    ),
]
LabelValue = Annotated[
    str,
    _form(
        r"^[A-Za-z0-9]([A-Za-z0-9._-]{0,61}[A-Za-z0-9])?$",
        "a Kubernetes label's value",
        "1 to 63 letters, digits, - _ . between letters or digits",
        "research",
    ),
]
TagValue = Annotated[
    str,
    Field(max_length=256),
    _form(r"^[\w .:/=+@-]*$", "a tag's value", "letters, digits, spaces and _ . : / = + @ -", "research"),
]

BucketName = Annotated[
    str,
    _form(
        r"^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$",
        "the name of an S3 bucket",
        "3 to 63 lower-case letters, digits, dots and hyphens, with a letter or digit at both ends",
        "research-datasets",
    ),
]
EncryptionKey = Annotated[
    str,
    _form(
        r"^(aws|own|arn:aws[a-z-]*:kms:[a-z0-9-]+:[0-9]{12}:key/[A-Za-z0-9-]+)$",
        "a choice of key",
        "aws for a key that AWS manages, own for one made for the cluster, or the ARN of a KMS key",
        "own",
    ),
]
"""What encrypts data at rest: ``aws``, ``own``, or the ARN of a KMS key."""

MaintenanceTime = Annotated[
    str,
    _form(
        r"^[1-7]:([01][0-9]|2[0-3]):[0-5][0-9]$",
        "a time of the week",
        "day:hour:minute in UTC, with 1 for Monday and 7 for Sunday, in quotes",
        "7:03:30",
    ),
]
"""When AWS may patch a file system, in UTC."""

ObjectPrefix = Annotated[
    str,
    Field(max_length=1024),
    _form(
        r"^([\w!.*'()-]+(/[\w!.*'()-]+)*/?)?$",
        "a prefix of S3 objects",
        "letters, digits and - _ . ! * ' ( ), parts apart by /, none in front",
        "runs/2026/",
    ),
]

UserName = Annotated[
    str,
    _form(
        r"^[a-z_][a-z0-9_-]{0,31}$",
        "a login name",
        "lower-case letters, digits, - and _, beginning with a letter or _, at most 32 characters",
        "alice",
    ),
]
HostName = Annotated[
    str,
    Field(max_length=255),
    _form(
        r"^[A-Za-z0-9]([A-Za-z0-9-]*[A-Za-z0-9])?(\.[A-Za-z0-9]([A-Za-z0-9-]*[A-Za-z0-9])?)+$",
        "a host name",
        "labels of letters, digits and hyphens, joined by dots",
        "slurm.c1a2b3c4d5e6.us-east-2.rds.amazonaws.com",
    ),
]
SecretArn = Annotated[
    str,
    _form(
        r"^arn:aws[a-z-]*:secretsmanager:[a-z0-9-]+:[0-9]{12}:secret:[\w/+=.@-]+$",
        "the ARN of a secret",
        "arn:aws:secretsmanager:, region, account id, :secret:, name",
        "arn:aws:secretsmanager:us-east-2:111122223333:secret:slurm-AbCdEf",
    ),
]
DatabaseName = Annotated[
    str,
    Field(max_length=64),
    _form(r"^[a-zA-Z0-9$_]+$", "the name of a database", "letters, digits, $ and _", "slurm_acct_db"),
]

VersionSetName = Annotated[
    str, _form(r"^[0-9]{4}\.[0-9]{2}$", "a version set", "year, dot, month, in quotes", "2026.11")
]
SoftwareVersion = Annotated[
    str,
    _form(
        r"^v?[0-9][A-Za-z0-9._+~-]{0,63}$",
        "a version",
        "as its publisher writes it, from a digit on, in quotes",
        "2.30.4",
    ),
]
VariableName = Annotated[
    str,
    _form(
        r"^[A-Za-z_][A-Za-z0-9_]{0,127}$",
        "the name of an environment variable",
        "letters, digits and _, not from a digit on",
        "NCCL_DEBUG",
    ),
]
VariableValue = Annotated[
    str,
    Field(max_length=4096),
    _form(
        r"^[^\x00-\x1f\x7f]*$",
        "the value of an environment variable",
        "one line, without control characters",
        "INFO",
    ),
]
MirrorUrl = Annotated[
    str,
    _form(
        r"^s3://[a-z0-9][a-z0-9.-]{1,61}[a-z0-9](/[\w!.*'()-]+)*$",
        "the address of a mirror",
        "s3://, bucket, and a prefix without a slash at its end",
        "s3://atlas-mirror/2026.11",
    ),
]
Sha256 = Annotated[
    str, _form(r"^[0-9a-f]{64}$", "a SHA-256", "64 hexadecimal digits in lower case", "0" * 64)
]

Items = Annotated[tuple[T, ...], Strict(strict=False)]
"""A YAML list, kept as a tuple."""


def _refuse_repeats(items: tuple[T, ...]) -> tuple[T, ...]:
    repeated = [str(item) for at, item in enumerate(items) if item in items[:at]]
    if repeated:
        raise malformed(f"{repeated[0]} is in the list twice")
    return items


DistinctItems = Annotated[
    Items[T], AfterValidator(_refuse_repeats), Field(json_schema_extra={"uniqueItems": True})
]
"""A YAML list in which nothing is repeated."""


def _require_network(text: str) -> str:
    try:
        block = IPv4Interface(text).network
    except ValueError:
        raise malformed("four numbers of 0 to 255 and a prefix of 0 to 32, such as 10.0.0.0/16") from None
    if str(block) != text:
        raise malformed(f"the block that holds this address is {block}")
    return text


def _read_moment(value: object) -> object:
    """YAML gives a time that is not in quotes; one in quotes arrives as text."""
    if not isinstance(value, str):
        return value
    try:
        return datetime.fromisoformat(value)
    except ValueError:
        raise malformed("it is no time, such as 2026-12-01T11:30:00Z") from None


def _require_utc(moment: datetime) -> datetime:
    if moment.utcoffset() != timedelta(0):
        raise malformed("write the time in UTC, with a Z at its end, such as 2026-12-01T11:30:00Z")
    return moment


def _require_own_tag(key: str) -> str:
    if key.lower().startswith("aws:"):
        raise malformed("tags that begin with aws: belong to AWS")
    return key


def _require_plain_path(path: str) -> str:
    if {".", ".."} & set(path.split("/")):
        raise malformed("write the path out, without the parts . and ..")
    return path


MountPath = Annotated[
    str,
    Field(max_length=255),
    _form(
        r"^(/[A-Za-z0-9._-]+)+$",
        "a path to mount at",
        "absolute, of letters, digits and . _ -, without a slash at its end",
        "/fsx",
    ),
    AfterValidator(_require_plain_path),
]
"""An absolute path other than ``/``."""

DirectoryPath = Annotated[
    str,
    Field(max_length=4096),
    _form(
        r"^(/|(/[A-Za-z0-9._-]+)+)$",
        "a directory of a file system",
        "absolute, from the file system's own top, of letters, digits and . _ -",
        "/datasets",
    ),
    AfterValidator(_require_plain_path),
]
"""An absolute path inside a file system; ``/`` is all of it."""

TagKey = Annotated[
    str,
    Field(min_length=1, max_length=128),
    _form(r"^[\w .:/=+@-]+$", "a tag's key", "letters, digits, spaces and _ . : / = + @ -", "team"),
    AfterValidator(_require_own_tag),
]

Cidr = Annotated[
    str,
    _form(r"^[0-9.]+/[0-9]+$", "an IPv4 block", "an address, a slash, a prefix length", "10.0.0.0/16"),
    AfterValidator(_require_network),
]
"""An IPv4 network, its host bits zero."""

Moment = Annotated[datetime, BeforeValidator(_read_moment), AfterValidator(_require_utc)]
"""A point in time, in UTC."""
