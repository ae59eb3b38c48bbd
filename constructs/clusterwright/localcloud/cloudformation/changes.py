"""What a change set tells of a deployment before it runs.

Sources, read 2026-11-20: CloudFormation API reference, "ResourceChange", "ResourceChangeDetail" and
"ResourceTargetDefinition"; CloudFormation user guide, "Example change sets". The contexts before and after,
which CloudFormation adds where it is asked for property values, are left out.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from clusterwright.localcloud.cloudformation.schemas import resource_schema
from clusterwright.localcloud.cloudformation.stack import KEEPING
from clusterwright.localcloud.cloudformation.template import uses
from clusterwright.localcloud.resources import RESOURCE_TYPES

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from clusterwright.localcloud.cloudformation.stack import Stack
    from clusterwright.localcloud.cloudformation.template import Template

ATTRIBUTES = ("Metadata", "CreationPolicy", "UpdatePolicy", "DeletionPolicy", "UpdateReplacePolicy")
"""What a resource has beside properties and tags, none of which makes a new one of it."""

DIRECT = "DirectModification"


def resource_changes(
    region: str, stack: Stack, template: Template, parameters: Mapping[str, Any]
) -> list[dict[str, Any]]:
    """What a new template and new parameters would add, modify and remove.

    Args:
        region: Where the stack is; a type's schema depends on it.
        stack: The stack as it is.
        template: The new template.
        parameters: The new values of parameters that are given.
    """
    old, new = stack.template.resources, template.resources
    changes = [_whole("Add", name, new[name], stack) for name in new if name not in old]
    changes += _modifications(region, stack, template, parameters)
    changes += [_whole("Remove", name, old[name], stack) for name in old if name not in new]
    return [{"Type": "Resource", "ResourceChange": change} for change in changes]


def _whole(action: str, name: str, declaration: Mapping[str, Any], stack: Stack) -> dict[str, Any]:
    """A resource that comes or goes."""
    change = _named(action, name, declaration, stack)
    if action == "Remove":
        change["PolicyAction"] = _kept_or_deleted(declaration.get("DeletionPolicy"))
    return change


def _named(action: str, name: str, declaration: Mapping[str, Any], stack: Stack) -> dict[str, Any]:
    existing = stack.resources.get(name)
    return {
        "Action": action,
        "LogicalResourceId": name,
        "PhysicalResourceId": existing.physical_id if existing else None,
        "ResourceType": declaration["Type"],
        "Scope": [],
        "Details": [],
    }


def _modifications(
    region: str, stack: Stack, template: Template, parameters: Mapping[str, Any]
) -> list[dict[str, Any]]:
    """The resources that stay and change, those among them that refer to one that is replaced."""
    causes = dict.fromkeys(_changed_parameters(stack, template, parameters), "ParameterReference")
    while True:
        found = [
            change
            for name, declaration in template.resources.items()
            if name in stack.template.resources
            and (change := _modification(region, stack, name, declaration, causes))
        ]
        replaced = {change["LogicalResourceId"] for change in found if change["Replacement"] != "False"}
        if replaced <= causes.keys():
            return found
        causes |= dict.fromkeys(replaced, "ResourceReference")


def _changed_parameters(stack: Stack, template: Template, given: Mapping[str, Any]) -> list[str]:
    before = {
        name: stack.parameters.get(name, item.get("Default"))
        for name, item in stack.template.parameters.items()
    }
    after = {name: given.get(name, item.get("Default")) for name, item in template.parameters.items()}
    return [name for name in before.keys() & after.keys() if before[name] != after[name]]


def _modification(
    region: str, stack: Stack, name: str, declaration: Mapping[str, Any], causes: Mapping[str, str]
) -> dict[str, Any] | None:
    before = stack.template.resources[name]
    properties = list(_property_details(region, before, declaration, causes))
    details = properties + [
        _detail({"Attribute": attribute, "RequiresRecreation": "Never"})
        for attribute in ATTRIBUTES
        if before.get(attribute) != declaration.get(attribute)
    ]
    if not details:
        return None
    change = _named("Modify", name, declaration, stack)
    change["Replacement"] = _replacement(details)
    change["Scope"] = list(dict.fromkeys(detail["Target"]["Attribute"] for detail in details))
    change["Details"] = details
    if change["Replacement"] == "True":
        change["PolicyAction"] = "ReplaceAnd" + _kept_or_deleted(declaration.get("UpdateReplacePolicy"))
    return change


def _property_details(
    region: str, before: Mapping[str, Any], after: Mapping[str, Any], causes: Mapping[str, str]
) -> Iterator[dict[str, Any]]:
    old, new = before.get("Properties", {}), after.get("Properties", {})
    unknown = _with_unknowns(new, causes)
    recreation = _recreation(region, str(after["Type"]), old, unknown)
    for name in dict.fromkeys([*old, *new]):
        target = {
            "Attribute": "Tags" if name == "Tags" else "Properties",
            "Name": None if name == "Tags" else name,
            "Path": f"/Properties/{name}",
            "RequiresRecreation": recreation.get(name, "Never"),
        }
        if old.get(name) != new.get(name):
            yield _detail(target)
        for entity, attribute in dict.fromkeys(uses(new.get(name))):
            if entity in causes:
                yield _detail(target, causes[entity], entity, attribute)


def _detail(
    target: Mapping[str, Any], source: str = DIRECT, entity: str = "", attribute: str = ""
) -> dict[str, Any]:
    """One reason why a resource changes; what another resource will be is known only as it is made."""
    if attribute and source == "ResourceReference":
        source, entity = "ResourceAttribute", f"{entity}.{attribute}"
    return {
        "Target": {key: value for key, value in target.items() if value is not None},
        "Evaluation": "Dynamic" if source.startswith("Resource") else "Static",
        "ChangeSource": source,
        "CausingEntity": entity or None,
    }


def _replacement(details: list[dict[str, Any]]) -> str:
    """True, False or Conditional, by what the details require and how surely."""
    needs = {(detail["Target"]["RequiresRecreation"], detail["Evaluation"]) for detail in details}
    if ("Always", "Static") in needs:
        return "True"
    return "False" if {recreation for recreation, _ in needs} == {"Never"} else "Conditional"


def _recreation(
    region: str, resource_type: str, old: Mapping[str, Any], new: Mapping[str, Any]
) -> dict[str, str]:
    """Which top-level properties make a new resource, and how surely, by name."""
    schema = resource_schema(region, resource_type)
    if schema is None:
        names = RESOURCE_TYPES[resource_type].replaced_by if resource_type in RESOURCE_TYPES else ()
        return {name: "Always" for name in names if old.get(name) != new.get(name)}
    maybe = dict.fromkeys(_tops(schema.maybe_replacing_changes(old, new)), "Conditionally")
    return maybe | dict.fromkeys(_tops(schema.replacing_changes(old, new)), "Always")


def _tops(paths: list[str]) -> list[str]:
    return [path.partition("/")[0] for path in paths]


def _kept_or_deleted(policy: str | None) -> str:
    return "Retain" if policy in KEEPING else policy or "Delete"


def _with_unknowns(value: Any, names: Mapping[str, str]) -> Any:  # noqa: ANN401  a template is JSON
    """A value in which every use of some names differs from what it was."""
    if isinstance(value, list):
        return [_with_unknowns(item, names) for item in value]
    if not isinstance(value, dict):
        return value
    used = {name for name, _ in uses(value)} if len(value) == 1 and _is_function(value) else set()
    if used & names.keys():
        return {"changed": value}
    return {key: _with_unknowns(item, names) for key, item in value.items()}


def _is_function(value: Mapping[str, Any]) -> bool:
    (key,) = value
    return key == "Ref" or key.startswith("Fn::")
