"""A CloudFormation template: parsing, what refers to what, and the order in which resources can be made."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from graphlib import CycleError, TopologicalSorter
from typing import TYPE_CHECKING, Any

import yaml

from clusterwright.localcloud.errors import ValidationError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

SUBSTITUTION = re.compile(r"\$\{([^!}][^}]*)\}")
"""A reference inside Fn::Sub; ``${!Literal}`` is none."""


@dataclass(frozen=True)
class Template:
    """A parsed template.

    Attributes:
        body: The text as it was sent.
        resources: Each logical id and its declaration.
        parameters: The parameters' declarations.
        outputs: The outputs' declarations.
        conditions: Named conditions, unevaluated.
        mappings: Constants for Fn::FindInMap.
        rules: Assertions about parameters.
        description: What the template says of itself, or empty.
    """

    body: str
    resources: Mapping[str, Mapping[str, Any]]
    parameters: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    outputs: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    conditions: Mapping[str, Any] = field(default_factory=dict)
    mappings: Mapping[str, Any] = field(default_factory=dict)
    rules: Mapping[str, Any] = field(default_factory=dict)
    description: str = ""

    @classmethod
    def parse(cls, body: str) -> Template:
        """Read JSON or YAML (with the intrinsic functions in their long form).

        Raises:
            ValidationError: The text is neither, or has no resources.
        """
        try:
            document = json.loads(body) if body.lstrip().startswith("{") else yaml.safe_load(body)
        except (ValueError, yaml.YAMLError) as error:
            raise ValidationError(f"Template format error: {error}") from error
        if not isinstance(document, dict) or not document.get("Resources"):
            raise ValidationError("Template format error: At least one Resources member must be defined.")
        sections = ("Parameters", "Outputs", "Conditions", "Mappings", "Rules")
        return cls(
            body=body,
            resources=document["Resources"],
            **{section.lower(): document.get(section) or {} for section in sections},
            description=document.get("Description", ""),
        )

    @classmethod
    def empty(cls) -> Template:
        """The template of a stack that has nothing yet."""
        return cls(body="", resources={})

    def order(self) -> list[str]:
        """Logical ids, each after those that it needs; ties in the template's order.

        Raises:
            ValidationError: Resources need each other in a circle.
        """
        needs = {name: self._needs(declaration) for name, declaration in self.resources.items()}
        try:
            return list(TopologicalSorter(needs).static_order())
        except CycleError as error:
            circle = ", ".join(dict.fromkeys(error.args[1]))
            raise ValidationError(f"Circular dependency between resources: [{circle}]") from error

    def references(self) -> Iterator[str]:
        """Every name that resources, outputs and conditions refer to, pseudo parameters included."""
        for section in (self.resources, self.outputs, self.conditions):
            for declaration in section.values():
                yield from references(declaration)

    def _needs(self, declaration: Mapping[str, Any]) -> list[str]:
        explicit = declaration.get("DependsOn", [])
        names = [explicit] if isinstance(explicit, str) else list(explicit)
        names += references(declaration.get("Properties", {}))
        return [name for name in dict.fromkeys(names) if name in self.resources]


def references(value: Any) -> Iterator[str]:  # noqa: ANN401  a template is JSON
    """The logical ids that a piece of a template refers to by Ref, Fn::GetAtt or Fn::Sub."""
    return (name for name, _ in uses(value))


def uses(value: Any) -> Iterator[tuple[str, str]]:  # noqa: ANN401  a template is JSON
    """The logical ids that a value refers to, each with the attribute that it asks for, or nothing."""
    if isinstance(value, list):
        for item in value:
            yield from uses(item)
    elif isinstance(value, dict):
        for key, item in value.items():
            if key == "Ref":
                yield str(item), ""
            elif key == "Fn::GetAtt":
                yield attribute_path(item)
            else:
                if key == "Fn::Sub":
                    yield from _substituted(item)
                yield from uses(item)


def attribute_path(argument: str | list[str]) -> tuple[str, str]:
    """The logical id and the attribute of an Fn::GetAtt, in either of its spellings."""
    if isinstance(argument, str):
        name, _, attribute = argument.partition(".")
        return name, attribute
    return argument[0], ".".join(argument[1:])


def _substituted(argument: str | list[Any]) -> Iterator[tuple[str, str]]:
    text, local = (argument, {}) if isinstance(argument, str) else argument
    return (attribute_path(name) for name in SUBSTITUTION.findall(text) if name not in local)
