"""CloudFormation's dynamic references: values of Parameter Store, looked up at deployment."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from botocore.exceptions import ClientError

from clusterwright.localcloud.errors import ValidationError
from clusterwright.localcloud.public_parameters import find_public_parameter

if TYPE_CHECKING:
    from clusterwright.localcloud.account import Account

REFERENCE = re.compile(r"\{\{resolve:(?P<service>[a-z-]+):(?P<key>[^}]+)\}\}")


def resolve_references(account: Account, value: Any) -> Any:  # noqa: ANN401  a template is JSON
    """Properties with every dynamic reference replaced by the value that it stands for.

    Raises:
        ValidationError: There is no such parameter, or the reference is to a service that is not embedded.
    """
    if isinstance(value, dict):
        return {key: resolve_references(account, item) for key, item in value.items()}
    if isinstance(value, list):
        return [resolve_references(account, item) for item in value]
    if not isinstance(value, str):
        return value
    return REFERENCE.sub(lambda match: _look_up(account, match["service"], match["key"]), value)


def _look_up(account: Account, service: str, key: str) -> str:
    if service != "ssm":
        raise ValidationError(f"Template error: the embedded AWS resolves ssm alone, not {service}")
    name, _, version = key.partition(":")
    public = find_public_parameter(name)
    if public is not None and not version:
        return public
    try:
        return str(account.client("ssm").get_parameter(Name=key)["Parameter"]["Value"])
    except ClientError as error:
        raise ValidationError(
            f"Parameters: [ssm:{key}] cannot be found. Please check if the parameters exist"
        ) from error
