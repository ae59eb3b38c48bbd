"""What CloudFormation refuses in a template before it makes a single resource."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from clusterwright.localcloud.cloudformation.schemas import resource_schema
from clusterwright.localcloud.cloudformation.template import attribute_path
from clusterwright.localcloud.errors import ValidationError
from clusterwright.localcloud.resources import RESOURCE_TYPES

if TYPE_CHECKING:
    from collections.abc import Iterator

    from clusterwright.localcloud.cloudformation.intrinsics import Resolver
    from clusterwright.localcloud.cloudformation.template import Template


def check_template(template: Template, resolver: Resolver, region: str) -> None:
    """Refuse a template whose types, references, attributes or rules are wrong.

    Raises:
        ValidationError: Saying what; a type that only the embedded AWS lacks is named.
    """
    _check_types(template)
    _check_references(template, resolver)
    _check_attributes(template, region)
    _check_rules(template, resolver)
    template.order()


def _check_types(template: Template) -> None:
    types = {str(declaration.get("Type")) for declaration in template.resources.values()}
    unknown = sorted(types - RESOURCE_TYPES.keys())
    if unknown:
        raise ValidationError(
            f"Template format error: Unrecognized resource types: [{', '.join(unknown)}] "
            f"(the embedded AWS makes {len(RESOURCE_TYPES)} types; "
            'see "The embedded AWS" in the documentation)'
        )


def _check_references(template: Template, resolver: Resolver) -> None:
    known = {*template.resources, *resolver.names}
    missing = sorted({name for name in template.references() if name not in known})
    if missing:
        raise ValidationError(
            f"Template format error: Unresolved resource dependencies [{', '.join(missing)}]"
        )
    for name, declaration in template.resources.items():
        depends_on = declaration.get("DependsOn", [])
        for needed in [depends_on] if isinstance(depends_on, str) else depends_on:
            if needed not in template.resources:
                raise ValidationError(
                    f"Template format error: {name} depends on {needed}, which is not there"
                )


def _check_attributes(template: Template, region: str) -> None:
    for name, attribute in _attributes_asked([*template.resources.values(), *template.outputs.values()]):
        resource_type = str(template.resources[name]["Type"])
        schema = resource_schema(region, resource_type)
        if schema and attribute not in schema.attributes:
            raise ValidationError(
                f"Template error: resource {name} does not support attribute type {attribute} in Fn::GetAtt"
            )


def _attributes_asked(value: Any) -> Iterator[tuple[str, str]]:  # noqa: ANN401  a template is JSON
    if isinstance(value, list):
        for item in value:
            yield from _attributes_asked(item)
    elif isinstance(value, dict):
        for key, item in value.items():
            if key == "Fn::GetAtt":
                yield attribute_path(item)
            else:
                yield from _attributes_asked(item)


def _check_rules(template: Template, resolver: Resolver) -> None:
    for rule in template.rules.values():
        if "RuleCondition" in rule and not resolver.resolve(rule["RuleCondition"]):
            continue
        for assertion in rule.get("Assertions", []):
            if not resolver.resolve(assertion["Assert"]):
                raise ValidationError(str(assertion.get("AssertDescription", "Rule failed")))
