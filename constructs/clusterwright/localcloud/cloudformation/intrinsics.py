"""CloudFormation's intrinsic functions: a template's values with everything in them resolved."""

from __future__ import annotations

import base64
from typing import TYPE_CHECKING, Any

from clusterwright.localcloud.cloudformation.template import SUBSTITUTION, attribute_path
from clusterwright.localcloud.errors import ValidationError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from clusterwright.localcloud.cloudformation.stack import StackResource
    from clusterwright.localcloud.cloudformation.surroundings import Surroundings
    from clusterwright.localcloud.cloudformation.template import Template

NO_VALUE = object()
"""What ``AWS::NoValue`` resolves to; the key or the item that holds it disappears."""


class Resolver:
    """Resolves values of one template, as far as its resources exist.

    Args:
        template: The template that the values come from.
        names: Values of parameters and pseudo parameters by name.
        resources: The resources that exist; looked at again on each call.
        surroundings: The other stacks, and the region.
    """

    def __init__(
        self,
        template: Template,
        names: Mapping[str, Any],
        resources: Mapping[str, StackResource],
        surroundings: Surroundings,
    ) -> None:
        self._template = template
        self.names = names
        self._resources = resources
        self._surroundings = surroundings
        self._functions: dict[str, Callable[[Any], Any]] = {
            "Ref": self._ref,
            "Fn::GetAtt": self._get_att,
            "Fn::Sub": self._sub,
            "Fn::If": self._if,
            "Fn::FindInMap": self._find_in_map,
            "Fn::ImportValue": lambda argument: surroundings.import_value(self.resolve(argument)),
            "Fn::GetStackOutput": self._get_stack_output,
            "Fn::Join": self._join,
            "Fn::Split": self._split,
            "Fn::Select": self._select,
            "Fn::GetAZs": lambda _: surroundings.zones(),
            "Fn::Base64": lambda argument: base64.b64encode(self.resolve(argument).encode()).decode(),
            "Fn::Equals": lambda pair: self.resolve(pair[0]) == self.resolve(pair[1]),
            "Fn::Not": lambda argument: not self.resolve(argument[0]),
            "Fn::And": lambda arguments: all(self.resolve(argument) for argument in arguments),
            "Fn::Or": lambda arguments: any(self.resolve(argument) for argument in arguments),
            "Fn::Contains": lambda pair: self.resolve(pair[1]) in self.resolve(pair[0]),
            "Condition": self.holds,
        }

    def resolve(self, value: Any) -> Any:  # noqa: ANN401  a template is JSON
        """A value with its functions replaced by what they stand for.

        Raises:
            ValidationError: A name, attribute, export or function that does not exist.
        """
        if isinstance(value, list):
            items = [self.resolve(item) for item in value]
            return [item for item in items if item is not NO_VALUE]
        if not isinstance(value, dict):
            return value
        if len(value) == 1:
            ((name, argument),) = value.items()
            if name in self._functions and not (name == "Condition" and isinstance(argument, dict)):
                return self._functions[name](argument)
            if name.startswith("Fn::"):
                raise ValidationError(f"Template error: the embedded AWS does not know {name}")
        resolved = {key: self.resolve(item) for key, item in value.items()}
        return {key: item for key, item in resolved.items() if item is not NO_VALUE}

    def holds(self, condition: str) -> bool:
        """Whether a named condition of the template is true."""
        if condition not in self._template.conditions:
            raise ValidationError(f"Template error: unresolved condition dependency {condition}")
        return bool(self.resolve(self._template.conditions[condition]))

    def is_wanted(self, declaration: Mapping[str, Any]) -> bool:
        """Whether a resource or an output has no condition, or one that holds."""
        condition = declaration.get("Condition")
        return condition is None or self.holds(condition)

    def _ref(self, name: str) -> Any:  # noqa: ANN401  parameters may be lists
        if name in self.names:
            return self.names[name]
        if name in self._resources:
            return self._resources[name].physical_id
        raise ValidationError(f"Template error: unresolved reference {name}")

    def _get_att(self, argument: str | list[str]) -> Any:  # noqa: ANN401  attributes may be lists
        name, attribute = attribute_path(argument)
        if name not in self._resources:
            raise ValidationError(f"Template error: Fn::GetAtt references undefined resource {name}")
        resource = self._resources[name]
        if attribute not in resource.attributes:
            raise ValidationError(f"Template error: {resource.type} {name} has no attribute {attribute}")
        return resource.attributes[attribute]

    def _get_stack_output(self, argument: Mapping[str, Any]) -> str:
        asked = self.resolve(argument)
        if asked.get("Region", self.names["AWS::Region"]) != self.names["AWS::Region"] or "RoleArn" in asked:
            raise ValidationError("Template error: the embedded AWS has one account and one region")
        return self._surroundings.stack_output(asked["StackName"], asked["OutputName"])

    def _sub(self, argument: str | list[Any]) -> str:
        text, local = (argument, {}) if isinstance(argument, str) else argument
        values = self.resolve(local)

        def value_of(name: str) -> str:
            if name in values:
                return str(values[name])
            return str(self._get_att(name) if "." in name else self._ref(name))

        return SUBSTITUTION.sub(lambda match: value_of(match[1]), text).replace("${!", "${")

    def _if(self, argument: list[Any]) -> Any:  # noqa: ANN401  either branch may be any JSON
        name, yes, no = argument
        return self.resolve(yes if self.holds(name) else no)

    def _find_in_map(self, argument: list[Any]) -> Any:  # noqa: ANN401  a mapping may hold lists
        found: Any = self._template.mappings
        for key in self.resolve(argument):
            if key not in found:
                raise ValidationError(f"Template error: Fn::FindInMap finds no {key}")
            found = found[key]
        return found

    def _join(self, argument: list[Any]) -> str:
        separator, items = argument
        return str(separator).join(str(item) for item in self.resolve(items))

    def _split(self, argument: list[Any]) -> list[str]:
        separator, text = argument
        return str(self.resolve(text)).split(separator)

    def _select(self, argument: list[Any]) -> Any:  # noqa: ANN401  the list may hold any JSON
        index, items = argument
        resolved = self.resolve(items)
        if not 0 <= int(self.resolve(index)) < len(resolved):
            raise ValidationError(f"Template error: Fn::Select cannot select index {index} of {resolved}")
        return resolved[int(self.resolve(index))]
