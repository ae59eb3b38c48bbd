"""What CloudFormation remembers: stacks, their resources, events and change sets."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any
from uuid import uuid4

from clusterwright.localcloud.cloudformation.template import Template

if TYPE_CHECKING:
    from collections.abc import Mapping

STACK_TYPE = "AWS::CloudFormation::Stack"

KEEPING = ("Retain", "RetainExceptOnCreate")
"""Policies that leave a resource in the account. The second does not when the creation itself is undone."""


def now() -> datetime:
    """The time in UTC, as CloudFormation stamps it."""
    return datetime.now(UTC)


@dataclass(frozen=True)
class Policies:
    """The policies of a resource.

    Attributes:
        deletion: DeletionPolicy: ``Delete``, ``Retain``, ``RetainExceptOnCreate`` or ``Snapshot``.
        replacement: UpdateReplacePolicy: ``Delete``, ``Retain`` or ``Snapshot``.
    """

    deletion: str = "Delete"
    replacement: str = "Delete"

    @classmethod
    def of(cls, declaration: Mapping[str, Any]) -> Policies:
        """The policies that a template gives to a resource."""
        return cls(
            deletion=declaration.get("DeletionPolicy", cls.deletion),
            replacement=declaration.get("UpdateReplacePolicy", cls.replacement),
        )


@dataclass
class StackResource:
    """A resource that exists.

    Attributes:
        logical_id: Its name in the template.
        type: Such as ``AWS::EC2::VPC``.
        physical_id: What Ref gives.
        properties: The resolved properties that it was last given.
        attributes: What Fn::GetAtt gives, by attribute.
        status: Such as ``CREATE_COMPLETE``.
        policies: What happens to it when the template no longer has it, or wants another in its place.
        updated: When it last changed.
    """

    logical_id: str
    type: str
    physical_id: str
    properties: Mapping[str, Any]
    attributes: Mapping[str, Any]
    status: str = "CREATE_COMPLETE"
    policies: Policies = field(default_factory=Policies)
    updated: datetime = field(default_factory=now)


@dataclass(frozen=True)
class Event:
    """One line of a stack's history.

    Attributes:
        logical_id: The resource's name in the template, or the stack's name.
        type: The resource's type.
        physical_id: The resource's id where it has one.
        status: Such as ``CREATE_FAILED``.
        reason: Why, or empty.
        id: Unique.
        time: When.
    """

    logical_id: str
    type: str
    physical_id: str
    status: str
    reason: str = ""
    id: str = field(default_factory=lambda: str(uuid4()))
    time: datetime = field(default_factory=now)


@dataclass(frozen=True)
class Output:
    """A value that a stack tells.

    Attributes:
        key: Its name in the template.
        value: The resolved value.
        description: What the template says of it.
        export: The name under which other stacks import it, or empty.
    """

    key: str
    value: str
    description: str = ""
    export: str = ""


@dataclass
class Stack:
    """A stack; deleted ones are remembered by id.

    Attributes:
        name: Unique among the stacks that exist.
        id: The ARN.
        status: Such as ``CREATE_COMPLETE``; ``REVIEW_IN_PROGRESS`` before the first change set runs.
        reason: Why the status is what it is, or empty.
        template: The last template that was deployed, or is being deployed.
        parameters: Values that were given, by name.
        tags: The stack's own tags.
        resources: What exists, by logical id, in the order of creation.
        outputs: By key.
        imports: Names of exports of other stacks that this one uses.
        events: Oldest first.
        is_protected: Whether deletion is refused.
        created: When.
        updated: When it was last updated, or None.
        deleted: When it was deleted, or None.
    """

    name: str
    id: str
    status: str
    reason: str = ""
    template: Template = field(default_factory=Template.empty)
    parameters: dict[str, Any] = field(default_factory=dict)
    tags: dict[str, str] = field(default_factory=dict)
    resources: dict[str, StackResource] = field(default_factory=dict)
    outputs: dict[str, Output] = field(default_factory=dict)
    imports: set[str] = field(default_factory=set)
    events: list[Event] = field(default_factory=list)
    is_protected: bool = False
    created: datetime = field(default_factory=now)
    updated: datetime | None = None
    deleted: datetime | None = None

    def mark(self, status: str, reason: str = "") -> None:
        """Give the stack a status and write it into the history."""
        self.status, self.reason = status, reason
        self.events.append(Event(self.name, STACK_TYPE, self.id, status, reason))

    def record(
        self, logical_id: str, resource_type: str, physical_id: str, status: str, reason: str = ""
    ) -> None:
        """Write what happens to a resource into the history."""
        self.events.append(Event(logical_id, resource_type, physical_id, status, reason))


@dataclass
class ChangeSet:
    """A deployment that has been described and not run yet.

    Attributes:
        name: Unique within its stack.
        id: The ARN.
        stack: What it would change.
        template: The new template.
        parameters: The new values.
        tags: The stack's new tags.
        kind: ``CREATE`` or ``UPDATE``.
        changes: What it would do, as DescribeChangeSet tells it.
        status: ``CREATE_COMPLETE``, or ``FAILED`` where nothing would change.
        reason: Why it failed, or empty.
        execution_status: ``AVAILABLE``, ``UNAVAILABLE`` or ``EXECUTE_COMPLETE``.
        created: When.
    """

    name: str
    id: str
    stack: Stack
    template: Template
    parameters: dict[str, Any]
    tags: dict[str, str]
    kind: str
    changes: list[dict[str, Any]]
    status: str = "CREATE_COMPLETE"
    reason: str = ""
    execution_status: str = "AVAILABLE"
    created: datetime = field(default_factory=now)
