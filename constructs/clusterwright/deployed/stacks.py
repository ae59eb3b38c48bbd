"""Questions to CloudFormation, which ask for all of its pages."""

from __future__ import annotations

import json
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from botocore.exceptions import BotoCoreError, ClientError

from clusterwright.errors import ToolError
from clusterwright.labels import CLUSTER_TAG

if TYPE_CHECKING:
    from collections.abc import Iterator

    from types_boto3_cloudformation import CloudFormationClient
    from types_boto3_cloudformation.type_defs import StackResourceSummaryTypeDef


@contextmanager
def asking(complaint: str) -> Iterator[None]:
    """Say what AWS does not answer, with its own words.

    Args:
        complaint: Such as ``S3 does not list the buckets``.

    Raises:
        ToolError: AWS refused, or was not reached.
    """
    try:
        yield
    except (BotoCoreError, ClientError) as error:
        raise ToolError(f"{complaint}: {error}") from error


def list_stacks(client: CloudFormationClient, cluster: str) -> tuple[str, ...]:
    """The names of all stacks that carry a cluster's tag, sorted."""
    with asking("CloudFormation does not list the stacks"):
        pages = client.get_paginator("describe_stacks").paginate()
        stacks = [stack for page in pages for stack in page["Stacks"]]
    tagged = {"Key": CLUSTER_TAG, "Value": cluster}
    return tuple(sorted(stack["StackName"] for stack in stacks if tagged in stack.get("Tags", [])))


def read_template(client: CloudFormationClient, stack: str) -> dict[str, Any]:
    """The template of a stack as it stands; empty where there is no such stack."""
    with asking(f"CloudFormation does not give the template of {stack}"):
        try:
            body: Any = client.get_template(StackName=stack)["TemplateBody"]
        except ClientError as error:
            if "does not exist" in str(error):
                return {}
            raise
    template: dict[str, Any] = json.loads(body) if isinstance(body, str) else dict(body)
    return template


def list_resources(client: CloudFormationClient, stack: str) -> list[StackResourceSummaryTypeDef]:
    """The resources of a stack that stands."""
    with asking(f"CloudFormation does not list the resources of {stack}"):
        pages = client.get_paginator("list_stack_resources").paginate(StackName=stack)
        return [row for page in pages for row in page["StackResourceSummaries"]]
