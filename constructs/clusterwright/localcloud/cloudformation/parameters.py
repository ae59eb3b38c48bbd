"""Values of a template's parameters: given, default or previous, checked and typed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from botocore.exceptions import ClientError

from clusterwright.localcloud.cloudformation.intrinsics import NO_VALUE
from clusterwright.localcloud.errors import ValidationError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from clusterwright.localcloud.account import Account
    from clusterwright.localcloud.cloudformation.stack import Stack
    from clusterwright.localcloud.cloudformation.template import Template

SSM_TYPE = "AWS::SSM::Parameter::Value<"


def given_values(entries: Sequence[Mapping[str, Any]], previous: Mapping[str, Any]) -> dict[str, str]:
    """The values in a request's ``Parameters``, with ``UsePreviousValue`` looked up.

    A parameter without a previous value keeps its default, so it is left out.
    """
    values = {}
    for entry in entries:
        name = entry["ParameterKey"]
        if entry.get("UsePreviousValue"):
            if name in previous:
                values[name] = previous[name]
        else:
            values[name] = entry.get("ParameterValue", "")
    return values


def resolved_values(account: Account, template: Template, given: Mapping[str, str]) -> dict[str, Any]:
    """What Ref gives for each parameter of a template.

    Raises:
        ValidationError: A value that is missing, unknown or not allowed.
    """
    unknown = sorted(set(given) - set(template.parameters))
    if unknown:
        raise ValidationError(f"Parameters: [{', '.join(unknown)}] do not exist in the template")
    missing = [
        name for name, item in template.parameters.items() if name not in given and "Default" not in item
    ]
    if missing:
        raise ValidationError(f"Parameters: [{', '.join(missing)}] must have values")
    return {
        name: _typed(account, name, declaration, str(given.get(name, declaration.get("Default"))))
        for name, declaration in template.parameters.items()
    }


def pseudo_parameters(account: Account, stack: Stack) -> dict[str, Any]:
    """What Ref gives for the names that CloudFormation itself defines."""
    return {
        "AWS::AccountId": account.id,
        "AWS::Region": account.region,
        "AWS::Partition": "aws",
        "AWS::URLSuffix": "amazonaws.com",
        "AWS::StackName": stack.name,
        "AWS::StackId": stack.id,
        "AWS::NotificationARNs": [],
        "AWS::NoValue": NO_VALUE,
    }


def _typed(account: Account, name: str, declaration: Mapping[str, Any], value: str) -> Any:  # noqa: ANN401  text or a list
    """One value as its declared type: a string, a list of strings, or what an SSM parameter holds."""
    allowed = declaration.get("AllowedValues")
    if allowed and value not in [str(item) for item in allowed]:
        raise ValidationError(f"Parameter '{name}' must be one of AllowedValues")
    kind = str(declaration["Type"])
    if kind.startswith(SSM_TYPE):
        value = _stored_value(account, value)
        kind = kind.removeprefix(SSM_TYPE).removesuffix(">")
    if kind == "CommaDelimitedList" or kind.startswith("List<"):
        return [item.strip() for item in value.split(",")] if value else []
    return value


def _stored_value(account: Account, path: str) -> str:
    try:
        return str(account.client("ssm").get_parameter(Name=path)["Parameter"]["Value"])
    except ClientError as error:
        raise ValidationError(
            f"Unable to fetch parameters [{path}] from parameter store for this account."
        ) from error
