"""What a template may ask of its surroundings: other stacks, and the zones of the region."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clusterwright.localcloud.errors import ValidationError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from clusterwright.localcloud.account import Account
    from clusterwright.localcloud.cloudformation.stack import Stack


class Surroundings:
    """The account around one stack.

    Args:
        account: The account.
        stacks: Its stacks by name.

    Attributes:
        imports: Names of the exports that were asked for.
    """

    def __init__(self, account: Account, stacks: Mapping[str, Stack]) -> None:
        self._account = account
        self._stacks = stacks
        self.imports: set[str] = set()

    def import_value(self, export: str) -> str:
        """The value of an export; whoever asks depends on it.

        Raises:
            ValidationError: No stack exports that name.
        """
        for stack in self._stacks.values():
            for output in stack.outputs.values():
                if output.export == export:
                    self.imports.add(export)
                    return output.value
        raise ValidationError(f"No export named {export} found.")

    def stack_output(self, stack_name: str, key: str) -> str:
        """An output of a stack as it is now; whoever asks does not depend on it.

        Raises:
            ValidationError: There is no such stack, or it has no such output; the words are ours.
        """
        stack = self._stacks.get(stack_name)
        if stack is None or key not in stack.outputs:
            raise ValidationError(f"Stack {stack_name} has no output {key}.")
        return stack.outputs[key].value

    def zones(self) -> list[str]:
        """Names of the region's zones, sorted."""
        rows = self._account.client("ec2").describe_availability_zones()["AvailabilityZones"]
        return sorted(row["ZoneName"] for row in rows)
