"""The words of the domain as types: names, zone ids, CIDR blocks, AWS ids."""

from __future__ import annotations

from datetime import datetime, timedelta
from ipaddress import IPv4Network
from typing import Annotated, TypeVar

from pydantic import AfterValidator, Field, Strict

T = TypeVar("T")

ClusterName = Annotated[str, Field(pattern=r"^[a-z][a-z0-9-]{0,31}$", examples=["atlas"])]
"""Lower-case letters, digits and hyphens, from a letter on, at most 32 characters."""

ItemName = Annotated[str, Field(pattern=r"^[a-z][a-z0-9-]{0,31}$", examples=["train"])]
"""The user's own name for a pool, a capacity or a store; it names AWS resources, so a change replaces them."""

Region = Annotated[str, Field(pattern=r"^[a-z]{2}(-[a-z]+)+-[0-9]$", examples=["us-east-2"])]
AccountId = Annotated[str, Field(pattern=r"^[0-9]{12}$", examples=["111122223333"])]
ZoneId = Annotated[str, Field(pattern=r"^[a-z]{2,4}[0-9]-([a-z]{3}[0-9]-)?az[0-9]$", examples=["use2-az3"])]
"""An availability or local zone *id*: the same zone in every account, unlike a zone name."""

InstanceType = Annotated[str, Field(pattern=r"^[a-z0-9-]+\.[a-z0-9-]+$", examples=["p5en.48xlarge"])]
UltraServerType = Annotated[str, Field(pattern=r"^u-[a-z0-9-]+x[0-9]+$", examples=["u-p6e-gb200x72"])]
CapacityReservationId = Annotated[
    str, Field(pattern=r"^cr-[0-9a-f]{8,17}$", examples=["cr-0123456789abcdef0"])
]
RoleArn = Annotated[
    str,
    Field(
        pattern=r"^arn:aws[a-z-]*:iam::[0-9]{12}:(role|user)/[\w+=,.@/-]+$",
        examples=["arn:aws:iam::111122223333:role/Admin"],
    ),
]
VpcId = Annotated[str, Field(pattern=r"^vpc-[0-9a-f]{8,17}$", examples=["vpc-0123456789abcdef0"])]
SubnetId = Annotated[str, Field(pattern=r"^subnet-[0-9a-f]{8,17}$", examples=["subnet-0123456789abcdef0"])]
KubernetesVersion = Annotated[str, Field(pattern=r"^1\.[0-9]{2}$", examples=["1.34"])]
Taint = Annotated[
    str,
    Field(
        pattern=r"^[A-Za-z0-9./_-]+(=[A-Za-z0-9._-]*)?:(NoSchedule|PreferNoSchedule|NoExecute)$",
        examples=["team=research:NoSchedule"],
    ),
]
LabelKey = Annotated[str, Field(pattern=r"^([a-z0-9.-]+/)?[A-Za-z0-9]([A-Za-z0-9._-]{0,61}[A-Za-z0-9])?$")]
LabelValue = Annotated[str, Field(pattern=r"^([A-Za-z0-9]([A-Za-z0-9._-]{0,61}[A-Za-z0-9])?)?$")]
TagValue = Annotated[str, Field(max_length=256, pattern=r"^[\w .:/=+@-]*$")]

Items = Annotated[tuple[T, ...], Strict(strict=False)]
"""A YAML list, kept as a tuple."""


def _require_network(text: str) -> str:
    IPv4Network(text)
    return text


def _require_utc(moment: datetime) -> datetime:
    if moment.utcoffset() != timedelta(0):
        raise ValueError("write the time in UTC, with a Z at its end")
    return moment


def _require_own_tag(key: str) -> str:
    if key.lower().startswith("aws:"):
        raise ValueError("tags that begin with aws: belong to AWS")
    return key


TagKey = Annotated[
    str, Field(min_length=1, max_length=128, pattern=r"^[\w .:/=+@-]+$"), AfterValidator(_require_own_tag)
]

Cidr = Annotated[
    str,
    Field(pattern=r"^[0-9.]+/[0-9]+$", examples=["10.0.0.0/16"]),
    AfterValidator(_require_network),
]
"""An IPv4 network, its host bits zero."""

Moment = Annotated[datetime, AfterValidator(_require_utc)]
"""A point in time, in UTC."""
