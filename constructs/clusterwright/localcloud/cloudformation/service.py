"""The CloudFormation API over our own engine.

moto has a CloudFormation too. It skips types that it does not know and calls the stack complete, has no
rollback, loses outputs behind change sets, and updates nothing that depends on a replaced resource; so it is
not used here.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote, urlparse
from uuid import uuid4

from botocore.exceptions import ClientError

from clusterwright.localcloud.cloudformation.answers import (
    declared_parameters,
    described_change_set,
    described_events,
    described_resources,
    described_stack,
)
from clusterwright.localcloud.cloudformation.changes import resource_changes
from clusterwright.localcloud.cloudformation.deployment import Deployment, delete_stack
from clusterwright.localcloud.cloudformation.intrinsics import Resolver
from clusterwright.localcloud.cloudformation.parameters import (
    given_values,
    pseudo_parameters,
    resolved_values,
)
from clusterwright.localcloud.cloudformation.stack import ChangeSet, Stack
from clusterwright.localcloud.cloudformation.surroundings import Surroundings
from clusterwright.localcloud.cloudformation.template import Template
from clusterwright.localcloud.cloudformation.validation import check_template
from clusterwright.localcloud.errors import ApiError, ValidationError
from clusterwright.localcloud.service import Service, operation

if TYPE_CHECKING:
    from collections.abc import Mapping

    from clusterwright.localcloud.account import Account

NO_CHANGE = (
    "The submitted information didn't contain changes. Submit different information to create a change set."
)


class CloudFormationService(Service):
    """Stacks and change sets. Every operation ends before its call returns, so callers never wait."""

    is_whole = True

    def __init__(self, account: Account) -> None:
        super().__init__(account)
        self._stacks: dict[str, Stack] = {}
        self._deleted: dict[str, Stack] = {}
        self._change_sets: dict[str, ChangeSet] = {}

    # Stacks

    @operation
    def create_stack(self, params: Mapping[str, Any]) -> dict[str, Any]:
        """Make a stack; a failure is rolled back, deleted or kept, as asked."""
        with self.account.lock:
            template = self._template(params)
            parameters = given_values(params.get("Parameters", []), {})
            stack = self._new_stack(params["StackName"], "CREATE_IN_PROGRESS")
            on_failure = (
                "DO_NOTHING" if params.get("DisableRollback") else params.get("OnFailure", "ROLLBACK")
            )
            try:
                self._deploy(stack, template, parameters, _tags(params), on_failure)
            except ValidationError:
                self._stacks.pop(stack.name, None)
                raise
            stack.is_protected = bool(params.get("EnableTerminationProtection"))
        return {"StackId": stack.id}

    @operation
    def update_stack(self, params: Mapping[str, Any]) -> dict[str, Any]:
        """Bring a stack to a new template."""
        with self.account.lock:
            stack = self._stack(params["StackName"])
            template = stack.template if params.get("UsePreviousTemplate") else self._template(params)
            parameters = given_values(params.get("Parameters", []), stack.parameters)
            tags = _tags(params) if "Tags" in params else stack.tags
            if not _would_change(stack, template, parameters, tags):
                raise ValidationError("No updates are to be performed.")
            self._deploy(stack, template, parameters, tags)
        return {"StackId": stack.id}

    @operation
    def delete_stack(self, params: Mapping[str, Any]) -> None:
        """Delete a stack; deleting one that does not exist succeeds, as in AWS."""
        with self.account.lock:
            try:
                stack = self._stack(params["StackName"])
            except ValidationError:
                return
            if stack.is_protected:
                raise ValidationError(
                    f"Stack [{stack.name}] cannot be deleted while TerminationProtection is enabled"
                )
            self._refuse_imported(stack, kept=set())
            delete_stack(self.account, stack)
            if stack.status == "DELETE_COMPLETE":
                self._deleted[stack.id] = self._stacks.pop(stack.name)
                # They are found by name, and the next stack of this name must not find them.
                kept = [each for each in self._change_sets.values() if each.stack is not stack]
                self._change_sets = {each.id: each for each in kept}

    @operation
    def update_termination_protection(self, params: Mapping[str, Any]) -> dict[str, Any]:
        """Switch a stack's protection against deletion."""
        stack = self._stack(params["StackName"])
        stack.is_protected = bool(params["EnableTerminationProtection"])
        return {"StackId": stack.id}

    @operation
    def describe_stacks(self, params: Mapping[str, Any]) -> dict[str, Any]:
        """One stack by name or id (deleted ones by id), or all that exist."""
        name = params.get("StackName")
        stacks = [self._stack(name)] if name else list(self._stacks.values())
        return {"Stacks": [described_stack(stack) for stack in stacks]}

    @operation
    def list_stacks(self, params: Mapping[str, Any]) -> dict[str, Any]:
        """Every stack, deleted ones included, by status where asked."""
        wanted = params.get("StackStatusFilter") or []
        stacks = [*self._stacks.values(), *self._deleted.values()]
        return {
            "StackSummaries": [
                described_stack(stack) for stack in stacks if not wanted or stack.status in wanted
            ]
        }

    @operation
    def describe_stack_events(self, params: Mapping[str, Any]) -> dict[str, Any]:
        """A stack's history, newest first."""
        stack = self._stack(params["StackName"])
        return {"StackEvents": described_events(stack)}

    @operation
    def describe_stack_resources(self, params: Mapping[str, Any]) -> dict[str, Any]:
        """The resources of a stack, or the one with the given logical id."""
        stack, wanted = self._stack(params["StackName"]), params.get("LogicalResourceId")
        rows = described_resources(stack)
        return {"StackResources": [row for row in rows if wanted in (None, row["LogicalResourceId"])]}

    @operation
    def describe_stack_resource(self, params: Mapping[str, Any]) -> dict[str, Any]:
        """One resource of a stack."""
        stack, wanted = self._stack(params["StackName"]), params["LogicalResourceId"]
        for row in described_resources(stack):
            if row["LogicalResourceId"] == wanted:
                return {"StackResourceDetail": row}
        raise ValidationError(f"Resource {wanted} does not exist for stack {stack.name}")

    @operation
    def list_stack_resources(self, params: Mapping[str, Any]) -> dict[str, Any]:
        """The resources of a stack, in short."""
        rows = described_resources(self._stack(params["StackName"]))
        return {"StackResourceSummaries": rows}

    # Templates and exports

    @operation
    def get_template(self, params: Mapping[str, Any]) -> dict[str, Any]:
        """The template of a stack, as it was sent."""
        stack = self._stack(params["StackName"])
        return {"TemplateBody": stack.template.body, "StagesAvailable": ["Original", "Processed"]}

    @operation
    def get_template_summary(self, params: Mapping[str, Any]) -> dict[str, Any]:
        """What a template holds: parameters and resource types."""
        template = (
            self._stack(params["StackName"]).template if "StackName" in params else self._template(params)
        )
        return {
            "Description": template.description,
            "Parameters": declared_parameters(template),
            "ResourceTypes": sorted({str(item["Type"]) for item in template.resources.values()}),
        }

    @operation
    def validate_template(self, params: Mapping[str, Any]) -> dict[str, Any]:
        """Whether a template can be deployed at all."""
        template = self._template(params)
        return {"Description": template.description, "Parameters": declared_parameters(template)}

    @operation
    def list_exports(self, params: Mapping[str, Any]) -> dict[str, Any]:
        """Every value that a stack exports."""
        del params
        exports = [
            {"ExportingStackId": stack.id, "Name": output.export, "Value": output.value}
            for stack in self._stacks.values()
            for output in stack.outputs.values()
            if output.export
        ]
        return {"Exports": exports}

    @operation
    def list_imports(self, params: Mapping[str, Any]) -> dict[str, Any]:
        """The stacks that use an export."""
        name = params["ExportName"]
        users = self._importers(name)
        if not users:
            raise ValidationError(f"Export '{name}' is not imported by any stack.")
        return {"Imports": users}

    # Change sets

    @operation
    def create_change_set(self, params: Mapping[str, Any]) -> dict[str, Any]:
        """Describe a deployment without running it."""
        with self.account.lock:
            kind = params.get("ChangeSetType", "UPDATE")
            template_given = None if params.get("UsePreviousTemplate") else self._template(params)
            if kind == "CREATE" and params["StackName"] not in self._stacks:
                stack = self._new_stack(params["StackName"], "REVIEW_IN_PROGRESS")
            else:
                stack = self._stack(params["StackName"])
            template = template_given or stack.template
            parameters = given_values(params.get("Parameters", []), stack.parameters)
            name = params["ChangeSetName"]
            change_set = ChangeSet(
                name=name,
                id=self.account.arn("cloudformation", f"changeSet/{name}/{uuid4()}"),
                stack=stack,
                template=template,
                parameters=parameters,
                tags=_tags(params),
                kind=kind,
                changes=resource_changes(self.account.region, stack, template, parameters),
            )
            if kind == "UPDATE" and not _would_change(stack, template, parameters, change_set.tags):
                change_set.status, change_set.execution_status = "FAILED", "UNAVAILABLE"
                change_set.reason = NO_CHANGE
            self._change_sets[change_set.id] = change_set
        return {"Id": change_set.id, "StackId": stack.id}

    @operation
    def describe_change_set(self, params: Mapping[str, Any]) -> dict[str, Any]:
        """A change set, with what it would do."""
        return described_change_set(self._change_set(params))

    @operation
    def list_change_sets(self, params: Mapping[str, Any]) -> dict[str, Any]:
        """The change sets of a stack."""
        stack = self._stack(params["StackName"])
        return {
            "Summaries": [
                described_change_set(item) for item in self._change_sets.values() if item.stack is stack
            ]
        }

    @operation
    def execute_change_set(self, params: Mapping[str, Any]) -> None:
        """Run a change set."""
        with self.account.lock:
            change_set = self._change_set(params)
            if change_set.execution_status != "AVAILABLE":
                raise ApiError("InvalidChangeSetStatus", _say_refusal(change_set))
            change_set.execution_status = "EXECUTE_COMPLETE"
            on_failure = "DO_NOTHING" if params.get("DisableRollback") else "ROLLBACK"
            self._deploy(
                change_set.stack, change_set.template, change_set.parameters, change_set.tags, on_failure
            )

    @operation
    def delete_change_set(self, params: Mapping[str, Any]) -> None:
        """Forget a change set; one that is not there is no error, as in AWS."""
        with self.account.lock:
            try:
                del self._change_sets[self._change_set(params).id]
            except ApiError:
                return

    # How it is done

    def _deploy(
        self,
        stack: Stack,
        template: Template,
        parameters: dict[str, Any],
        tags: dict[str, str],
        on_failure: str = "ROLLBACK",
    ) -> None:
        """Create or update; a failed update leaves the stack with its former template."""
        is_new = not stack.template.body
        before = (stack.template, stack.parameters, stack.tags, stack.imports)
        surroundings = Surroundings(self.account, self._stacks)
        resolver = self._resolver(stack, template, parameters, surroundings)
        check_template(template, resolver, self.account.region)
        exported = {
            resolver.resolve(item["Export"]["Name"]) for item in template.outputs.values() if "Export" in item
        }
        self._refuse_imported(stack, kept=exported)
        stack.template, stack.parameters, stack.tags = template, parameters, tags
        stack.imports = surroundings.imports
        deployment = Deployment(self.account, stack, resolver, self._importers)
        if not is_new:
            deployment.update()
            if stack.status.startswith("UPDATE_ROLLBACK"):
                stack.template, stack.parameters, stack.tags, stack.imports = before
            return
        deployment.create(keep_on_failure=on_failure == "DO_NOTHING")
        if stack.status == "ROLLBACK_COMPLETE" and on_failure == "DELETE":
            self.delete_stack({"StackName": stack.name})

    def _resolver(
        self, stack: Stack, template: Template, parameters: Mapping[str, Any], surroundings: Surroundings
    ) -> Resolver:
        names = {
            **resolved_values(self.account, template, parameters),
            **pseudo_parameters(self.account, stack),
        }
        return Resolver(template, names, stack.resources, surroundings)

    def _refuse_imported(self, stack: Stack, kept: set[str]) -> None:
        """Refuse to drop an export that another stack uses."""
        for output in stack.outputs.values():
            users = self._importers(output.export) if output.export not in {"", *kept} else []
            if users:
                raise ValidationError(
                    f"Export {output.export} cannot be deleted as it is in use by {', '.join(users)}"
                )

    def _importers(self, export: str) -> list[str]:
        """The names of the stacks that use an export."""
        return [stack.name for stack in self._stacks.values() if export in stack.imports]

    def _template(self, params: Mapping[str, Any]) -> Template:
        if params.get("TemplateBody"):
            return Template.parse(params["TemplateBody"])
        if not params.get("TemplateURL"):
            raise ValidationError("Either Template URL or Template Body must be specified.")
        bucket, _, key = unquote(urlparse(params["TemplateURL"]).path).lstrip("/").partition("/")
        try:
            body = self.account.client("s3").get_object(Bucket=bucket, Key=key)["Body"].read()
        except ClientError as error:
            raise ValidationError(f"S3 error: {error}") from error
        return Template.parse(body.decode())

    def _new_stack(self, name: str, status: str) -> Stack:
        if name in self._stacks and self._stacks[name].status != "REVIEW_IN_PROGRESS":
            raise ApiError("AlreadyExistsException", f"Stack [{name}] already exists")
        stack = Stack(name, self.account.arn("cloudformation", f"stack/{name}/{uuid4()}"), status)
        if status == "REVIEW_IN_PROGRESS":
            stack.mark(status, "User Initiated")
        self._stacks[name] = stack
        return stack

    def _stack(self, name: str) -> Stack:
        if name in self._stacks:
            return self._stacks[name]
        for stack in [*self._stacks.values(), *self._deleted.values()]:
            if stack.id == name:
                return stack
        raise ValidationError(f"Stack with id {name} does not exist")

    def _change_set(self, params: Mapping[str, Any]) -> ChangeSet:
        name, stack = params["ChangeSetName"], params.get("StackName")
        for change_set in self._change_sets.values():
            if change_set.id == name:
                return change_set
            if change_set.name == name and stack in (change_set.stack.name, change_set.stack.id):
                return change_set
        raise ApiError("ChangeSetNotFound", f"ChangeSet [{name}] does not exist")


def _tags(params: Mapping[str, Any]) -> dict[str, str]:
    return {tag["Key"]: tag["Value"] for tag in params.get("Tags", [])}


def _say_refusal(change_set: ChangeSet) -> str:
    """Why a change set is not executed: it failed, with a reason, or was executed before."""
    status = f"its status is {change_set.status}, its execution status {change_set.execution_status}"
    reason = f": {change_set.reason}" if change_set.reason else ""
    return f"ChangeSet [{change_set.id}] cannot be executed: {status}{reason}"


def _would_change(
    stack: Stack, template: Template, parameters: Mapping[str, Any], tags: Mapping[str, str]
) -> bool:
    """Whether deploying would do anything: a template is compared by what it declares, not by its text."""
    same = (stack.parameters, stack.tags) == (parameters, tags)
    return not same or replace(stack.template, body="") != replace(template, body="")
