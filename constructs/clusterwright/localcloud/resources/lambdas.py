"""Lambda: functions, layers and permissions. Nothing is ever invoked, so moto needs no Docker."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from botocore.exceptions import ClientError

from clusterwright.localcloud.errors import ResourceRefusedError
from clusterwright.localcloud.resources.resource_type import Made, ResourceType, removed_tags, tag_map
from clusterwright.localcloud.rules.lookup import (
    described_subnets,
    refuse_unknown_groups,
    refuse_unknown_role,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

    from clusterwright.localcloud.account import Account
    from clusterwright.localcloud.cloudformation.stack import StackResource
    from clusterwright.localcloud.resources.resource_type import Request

CODE = {"S3Bucket", "S3Key", "S3ObjectVersion"}
CONFIGURATION = (
    "Description",
    "Environment",
    "Handler",
    "Layers",
    "LoggingConfig",
    "MemorySize",
    "Role",
    "Runtime",
    "Timeout",
    "VpcConfig",
)
"""Properties that are parameters of UpdateFunctionConfiguration, too."""

LONGEST_NAME = 64


class Function(ResourceType):
    """A function whose code is in S3."""

    name = "AWS::Lambda::Function"

    def create(self, request: Request) -> Made:
        """Make it."""
        properties = request.properties
        unknown = sorted(
            properties.keys() - {*CONFIGURATION, "Architectures", "Code", "FunctionName", "Tags"}
        )
        if unknown:
            raise ResourceRefusedError(f"the embedded AWS does not keep {', '.join(unknown)} of a function")
        self._refuse_unknown(request)
        made = request.client("lambda").create_function(
            FunctionName=properties.get("FunctionName", request.generated_name(LONGEST_NAME)),
            Code=_code(request, "Code"),
            Tags=tag_map(properties),
            **request.picked(*CONFIGURATION, "Architectures"),
        )
        return Made(made["FunctionName"], {"Arn": made["FunctionArn"]})

    def update(self, request: Request, current: StackResource, changed: frozenset[str]) -> Mapping[str, Any]:
        """Change its code, its configuration or its tags."""
        if not changed <= {*CONFIGURATION, "Code", "Tags"}:
            return super().update(request, current, changed)
        self._refuse_unknown(request)
        functions, function = request.client("lambda"), current.physical_id
        if "Code" in changed:
            functions.update_function_code(FunctionName=function, **_code(request, "Code"))
        settings = request.picked(*changed.intersection(CONFIGURATION))
        if settings:
            functions.update_function_configuration(FunctionName=function, **settings)
        if "Tags" in changed:
            arn = current.attributes["Arn"]
            dropped = removed_tags(current.properties, request.properties)
            if dropped:
                functions.untag_resource(Resource=arn, TagKeys=dropped)
            functions.tag_resource(Resource=arn, Tags=tag_map(request.properties))
        return current.attributes

    def delete(self, account: Account, current: StackResource) -> None:
        """Delete it."""
        account.client("lambda").delete_function(FunctionName=current.physical_id)

    @staticmethod
    def _refuse_unknown(request: Request) -> None:
        """Refuse a role, layers or a network that are not there, which moto would take."""
        refuse_unknown_role(request.account, request.properties["Role"])
        for layer in request.properties.get("Layers", []):
            name, _, version = layer.rpartition(":")
            request.client("lambda").get_layer_version(LayerName=name, VersionNumber=int(version))
        network = request.properties.get("VpcConfig", {})
        if network.get("SubnetIds"):
            subnets = described_subnets(request.account, network["SubnetIds"])
            refuse_unknown_groups(
                request.account, network.get("SecurityGroupIds", []), str(subnets[0]["VpcId"])
            )


class LayerVersion(ResourceType):
    """A version of a layer."""

    name = "AWS::Lambda::LayerVersion"

    def create(self, request: Request) -> Made:
        """Publish it."""
        made = request.client("lambda").publish_layer_version(
            LayerName=request.properties.get("LayerName", request.generated_name(LONGEST_NAME)),
            Content=_code(request, "Content"),
            **request.picked("CompatibleArchitectures", "CompatibleRuntimes", "Description", "LicenseInfo"),
        )
        return Made(made["LayerVersionArn"], {"LayerVersionArn": made["LayerVersionArn"]})

    def delete(self, account: Account, current: StackResource) -> None:
        """Delete it."""
        layer, _, version = current.physical_id.rpartition(":")
        account.client("lambda").delete_layer_version(LayerName=layer, VersionNumber=int(version))


class Permission(ResourceType):
    """A statement of a function's policy."""

    name = "AWS::Lambda::Permission"

    def create(self, request: Request) -> Made:
        """Add it."""
        statement = request.generated_name(LONGEST_NAME)
        options = request.picked(
            "Action", "EventSourceToken", "FunctionName", "Principal", "SourceAccount", "SourceArn"
        )
        request.client("lambda").add_permission(StatementId=statement, **options)
        return Made(statement, {"Id": statement})

    def delete(self, account: Account, current: StackResource) -> None:
        """Remove it."""
        account.client("lambda").remove_permission(
            FunctionName=current.properties["FunctionName"], StatementId=current.physical_id
        )


def _code(request: Request, name: str) -> dict[str, Any]:
    """Where code is in S3.

    Raises:
        ResourceRefusedError: It is not there, or it is in the template or an image.
    """
    place = dict(request.properties[name])
    if not {"S3Bucket", "S3Key"} <= place.keys() <= CODE:
        raise ResourceRefusedError("the embedded AWS takes the code of functions and layers from S3 only")
    try:
        request.client("s3").head_object(Bucket=place["S3Bucket"], Key=place["S3Key"])
    except ClientError as error:
        raise ResourceRefusedError(f"there is no s3://{place['S3Bucket']}/{place['S3Key']}") from error
    return place


TYPES: tuple[ResourceType, ...] = (Function(), LayerVersion(), Permission())
