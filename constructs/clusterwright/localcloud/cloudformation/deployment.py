"""Making a stack what its template says: create, update, roll back, delete."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from clusterwright.localcloud.cloudformation.dynamic_references import resolve_references
from clusterwright.localcloud.cloudformation.schemas import resource_schema
from clusterwright.localcloud.cloudformation.stack import (
    KEEPING,
    Output,
    Policies,
    Stack,
    StackResource,
    now,
)
from clusterwright.localcloud.errors import RESOURCE_ERRORS, ResourceRefusedError, reason
from clusterwright.localcloud.resources import RESOURCE_TYPES
from clusterwright.localcloud.resources.custom import PREFIX as CUSTOM
from clusterwright.localcloud.resources.resource_type import Request

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from clusterwright.localcloud.account import Account
    from clusterwright.localcloud.cloudformation.intrinsics import Resolver


class Deployment:
    """One change of one stack.

    What it did is kept as a list of undo steps, so that a failure leaves the stack as it was.

    Args:
        account: Where the resources live.
        stack: The stack; its template is the one to reach.
        resolver: Resolves values of that template against the stack's resources.
        importers: Gives the names of the stacks that use an export.
    """

    def __init__(
        self,
        account: Account,
        stack: Stack,
        resolver: Resolver,
        importers: Callable[[str], list[str]],
    ) -> None:
        self._account = account
        self._stack = stack
        self._resolver = resolver
        self._importers = importers
        self._undo: list[Callable[[], None]] = []
        self._superseded: list[StackResource] = []

    def create(self, *, keep_on_failure: bool = False) -> None:
        """Make every resource of a new stack; on failure delete them again, unless told to keep them."""
        self._stack.mark("CREATE_IN_PROGRESS", "User Initiated")
        failed = self._reach_template()
        if not failed:
            self._stack.mark("CREATE_COMPLETE")
        elif keep_on_failure:
            self._stack.mark("CREATE_FAILED", failed)
        else:
            self._stack.mark("ROLLBACK_IN_PROGRESS", f"{failed} Rollback requested by user.")
            self._roll_back("ROLLBACK_COMPLETE", "ROLLBACK_FAILED")

    def update(self) -> None:
        """Bring an existing stack to its new template; on failure bring it back."""
        previous_outputs = dict(self._stack.outputs)
        self._stack.mark("UPDATE_IN_PROGRESS", "User Initiated")
        failed = self._reach_template()
        if failed:
            self._stack.mark("UPDATE_ROLLBACK_IN_PROGRESS", failed)
            self._stack.outputs = previous_outputs
            self._roll_back("UPDATE_ROLLBACK_COMPLETE", "UPDATE_ROLLBACK_FAILED")
            return
        self._stack.mark("UPDATE_COMPLETE_CLEANUP_IN_PROGRESS")
        self._clean_up()
        self._stack.updated = now()
        self._stack.mark("UPDATE_COMPLETE")

    def _reach_template(self) -> str:
        """Create and change resources in order; returns why it failed, or nothing."""
        template = self._stack.template
        for logical_id in template.order():
            declaration = template.resources[logical_id]
            try:
                if self._resolver.is_wanted(declaration):
                    self._reach(logical_id, declaration)
            except RESOURCE_ERRORS as error:
                self._fail(logical_id, str(declaration["Type"]), error)
                verb = "update" if logical_id in self._stack.resources else "create"
                return f"The following resource(s) failed to {verb}: [{logical_id}]."
        try:
            outputs = self._resolved_outputs()
            self._refuse_changed_exports(outputs)
        except RESOURCE_ERRORS as error:
            return reason(error)
        self._stack.outputs = outputs
        return ""

    def _refuse_changed_exports(self, outputs: Mapping[str, Output]) -> None:
        """Refuse a new value of an export that another stack uses; known only once the resources are there.

        Source: CloudFormation user guide, "Get exported outputs from a deployed stack", read 2026-11-20.

        Raises:
            ResourceRefusedError: A value changed, in CloudFormation's words.
        """
        after = {output.export: output.value for output in outputs.values() if output.export}
        for output in self._stack.outputs.values():
            users = self._importers(output.export) if output.export else []
            if users and after.get(output.export, output.value) != output.value:
                raise ResourceRefusedError(
                    f"Export {output.export} cannot be updated as it is in use by {', '.join(users)}"
                )

    def _reach(self, logical_id: str, declaration: Mapping[str, Any]) -> None:
        resource_type = str(declaration["Type"])
        resolved = self._resolver.resolve(declaration.get("Properties", {}))
        properties = resolve_references(self._account, resolved)
        existing = self._stack.resources.get(logical_id)
        policies = Policies.of(declaration)
        if existing is None:
            self._create(logical_id, resource_type, properties, policies)
        elif existing.type != resource_type:
            raise ResourceRefusedError(
                f"Update of resource type is not permitted. The new template modifies resource type of "
                f"{logical_id}."
            )
        elif existing.properties != properties:
            self._change(existing, properties, policies)
        else:
            existing.policies = policies

    def _create(
        self, logical_id: str, resource_type: str, properties: Mapping[str, Any], policies: Policies
    ) -> None:
        self._stack.record(logical_id, resource_type, "", "CREATE_IN_PROGRESS")
        self._check(resource_type, properties)
        request = Request(self._account, self._stack.name, logical_id, properties)
        made = RESOURCE_TYPES[resource_type].create(request)
        resource = StackResource(
            logical_id,
            resource_type,
            made.physical_id,
            properties,
            made.attributes,
            policies=policies,
        )
        self._stack.resources[logical_id] = resource
        self._undo.append(lambda: self._delete(resource, is_kept=policies.deletion == "Retain"))
        self._stack.record(logical_id, resource_type, made.physical_id, "CREATE_COMPLETE")

    def _change(self, existing: StackResource, properties: Mapping[str, Any], policies: Policies) -> None:
        self._check(existing.type, properties)
        replacing = self._replacing_changes(existing, properties)
        if replacing:
            cause = "Requested update requires the creation of a new physical resource; hence creating one."
            self._stack.record(
                existing.logical_id, existing.type, existing.physical_id, "UPDATE_IN_PROGRESS", cause
            )
            self._create(existing.logical_id, existing.type, properties, policies)
            self._undo.append(lambda: self._stack.resources.update({existing.logical_id: existing}))
            existing.policies = policies
            self._superseded.append(existing)
        else:
            self._update(existing, properties)
            self._stack.resources[existing.logical_id].policies = policies

    def _replacing_changes(self, existing: StackResource, properties: Mapping[str, Any]) -> list[str]:
        schema = resource_schema(self._account.region, existing.type)
        if schema is not None:
            return schema.replacing_changes(existing.properties, properties)
        names = RESOURCE_TYPES[existing.type].replaced_by
        return [name for name in names if existing.properties.get(name) != properties.get(name)]

    def _update(self, existing: StackResource, properties: Mapping[str, Any]) -> None:
        self._stack.record(existing.logical_id, existing.type, existing.physical_id, "UPDATE_IN_PROGRESS")
        request = Request(self._account, self._stack.name, existing.logical_id, properties)
        names = set(existing.properties) | set(properties)
        changed = frozenset(name for name in names if existing.properties.get(name) != properties.get(name))
        attributes = RESOURCE_TYPES[existing.type].update(request, existing, changed)
        updated = replace(
            existing, properties=properties, attributes=attributes, status="UPDATE_COMPLETE", updated=now()
        )
        self._stack.resources[existing.logical_id] = updated
        self._undo.append(lambda: self._update(updated, existing.properties))
        self._stack.record(existing.logical_id, existing.type, existing.physical_id, "UPDATE_COMPLETE")

    def _check(self, resource_type: str, properties: Mapping[str, Any]) -> None:
        """Hold properties against CloudFormation's schema; a custom resource has none."""
        if resource_type.startswith(CUSTOM):
            return
        schema = resource_schema(self._account.region, resource_type)
        if schema is None:
            raise ResourceRefusedError(f"{resource_type} does not exist in {self._account.region}")
        problems = schema.problems(properties)
        if problems:
            raise ResourceRefusedError(f"Properties validation failed: {'; '.join(problems)}")

    def _resolved_outputs(self) -> dict[str, Output]:
        outputs = {}
        for key, declaration in self._stack.template.outputs.items():
            if self._resolver.is_wanted(declaration):
                value = self._resolver.resolve(declaration["Value"])
                export = self._resolver.resolve(declaration.get("Export", {}).get("Name", ""))
                outputs[key] = Output(key, str(value), declaration.get("Description", ""), export)
        return outputs

    def _clean_up(self) -> None:
        """Delete what an update left over; as in AWS, a failure here is told and does not fail the update."""
        wanted = self._stack.template.resources
        gone = [
            resource
            for name, resource in self._stack.resources.items()
            if name not in wanted or not self._resolver.is_wanted(wanted[name])
        ]
        for resource in reversed(gone):
            del self._stack.resources[resource.logical_id]
        left_over = [(resource, resource.policies.replacement) for resource in reversed(self._superseded)]
        left_over += [(resource, resource.policies.deletion) for resource in reversed(gone)]
        for resource, policy in left_over:
            try:
                self._delete(resource, is_kept=policy in KEEPING)
            except RESOURCE_ERRORS as error:
                self._fail(resource.logical_id, resource.type, error, "DELETE_FAILED")

    def _roll_back(self, done: str, stuck: str) -> None:
        steps, self._undo = self._undo[::-1], []
        for step in steps:
            try:
                step()
            except RESOURCE_ERRORS as error:
                self._stack.mark(stuck, reason(error))
                return
        self._stack.mark(done)

    def _delete(self, resource: StackResource, *, is_kept: bool) -> None:
        delete_resource(self._account, self._stack, resource, is_kept=is_kept)

    def _fail(self, logical_id: str, resource_type: str, error: Exception, status: str = "") -> None:
        existing = self._stack.resources.get(logical_id)
        status = status or ("UPDATE_FAILED" if existing else "CREATE_FAILED")
        physical_id = existing.physical_id if existing else ""
        self._stack.record(logical_id, resource_type, physical_id, status, reason(error))


def delete_resource(account: Account, stack: Stack, resource: StackResource, *, is_kept: bool) -> None:
    """Delete one resource and forget it, or forget it only where a policy keeps it."""
    if is_kept:
        stack.record(resource.logical_id, resource.type, resource.physical_id, "DELETE_SKIPPED")
    else:
        stack.record(resource.logical_id, resource.type, resource.physical_id, "DELETE_IN_PROGRESS")
        RESOURCE_TYPES[resource.type].delete(account, resource)
        stack.record(resource.logical_id, resource.type, resource.physical_id, "DELETE_COMPLETE")
    if stack.resources.get(resource.logical_id) is resource:
        del stack.resources[resource.logical_id]


def delete_stack(account: Account, stack: Stack) -> None:
    """Delete a stack's resources, each before what it needs; stops at the first that refuses."""
    stack.mark("DELETE_IN_PROGRESS", "User Initiated")
    order = stack.template.order()
    for logical_id in sorted(stack.resources, key=order.index, reverse=True):
        resource = stack.resources[logical_id]
        try:
            delete_resource(account, stack, resource, is_kept=resource.policies.deletion in KEEPING)
        except RESOURCE_ERRORS as error:
            stack.record(logical_id, resource.type, resource.physical_id, "DELETE_FAILED", reason(error))
            stack.mark("DELETE_FAILED", f"The following resource(s) failed to delete: [{logical_id}].")
            return
    stack.outputs = {}
    stack.deleted = now()
    stack.mark("DELETE_COMPLETE")
