"""What CloudFormation's API says about stacks and change sets, in the shapes of botocore's model."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping

    from clusterwright.localcloud.cloudformation.stack import ChangeSet, Stack
    from clusterwright.localcloud.cloudformation.template import Template


def described_stack(stack: Stack) -> dict[str, Any]:
    """A stack, as DescribeStacks and ListStacks tell it."""
    return {
        "StackId": stack.id,
        "StackName": stack.name,
        "Description": stack.template.description or None,
        "TemplateDescription": stack.template.description or None,
        "CreationTime": stack.created,
        "LastUpdatedTime": stack.updated,
        "DeletionTime": stack.deleted,
        "StackStatus": stack.status,
        "StackStatusReason": stack.reason or None,
        "EnableTerminationProtection": stack.is_protected,
        "Parameters": _pairs(stack.parameters, "ParameterKey", "ParameterValue"),
        "Tags": _pairs(stack.tags, "Key", "Value"),
        "Capabilities": ["CAPABILITY_IAM", "CAPABILITY_NAMED_IAM", "CAPABILITY_AUTO_EXPAND"],
        "Outputs": [
            {
                "OutputKey": output.key,
                "OutputValue": output.value,
                "Description": output.description or None,
                "ExportName": output.export or None,
            }
            for output in stack.outputs.values()
        ],
    }


def described_events(stack: Stack) -> list[dict[str, Any]]:
    """A stack's history, newest first."""
    return [
        {
            "StackId": stack.id,
            "StackName": stack.name,
            "EventId": event.id,
            "LogicalResourceId": event.logical_id,
            "PhysicalResourceId": event.physical_id,
            "ResourceType": event.type,
            "ResourceStatus": event.status,
            "ResourceStatusReason": event.reason or None,
            "Timestamp": event.time,
        }
        for event in reversed(stack.events)
    ]


def described_resources(stack: Stack) -> list[dict[str, Any]]:
    """The resources of a stack that exist, in the order of their creation."""
    return [
        {
            "StackId": stack.id,
            "StackName": stack.name,
            "LogicalResourceId": resource.logical_id,
            "PhysicalResourceId": resource.physical_id,
            "ResourceType": resource.type,
            "ResourceStatus": resource.status,
            "Timestamp": resource.updated,
            "LastUpdatedTimestamp": resource.updated,
        }
        for resource in stack.resources.values()
    ]


def described_change_set(change_set: ChangeSet) -> dict[str, Any]:
    """A change set, with what it would do."""
    return {
        "ChangeSetName": change_set.name,
        "ChangeSetId": change_set.id,
        "StackId": change_set.stack.id,
        "StackName": change_set.stack.name,
        "CreationTime": change_set.created,
        "ExecutionStatus": change_set.execution_status,
        "Status": change_set.status,
        "StatusReason": change_set.reason or None,
        "Parameters": _pairs(change_set.parameters, "ParameterKey", "ParameterValue"),
        "Tags": _pairs(change_set.tags, "Key", "Value"),
        "Changes": change_set.changes,
    }


def declared_parameters(template: Template) -> list[dict[str, Any]]:
    """The parameters that a template takes."""
    return [
        {
            "ParameterKey": name,
            "DefaultValue": declaration.get("Default"),
            "ParameterType": declaration["Type"],
            "NoEcho": bool(declaration.get("NoEcho")),
            "Description": declaration.get("Description"),
        }
        for name, declaration in template.parameters.items()
    ]


def _pairs(values: Mapping[str, Any], key: str, value: str) -> list[dict[str, str]]:
    return [{key: name, value: str(item)} for name, item in values.items()]
