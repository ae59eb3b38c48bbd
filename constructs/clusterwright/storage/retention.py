"""What happens to data when its resource goes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from aws_cdk import CfnDeletionPolicy

if TYPE_CHECKING:
    from aws_cdk import CfnResource


def keep_data(resource: CfnResource, *, is_retained: bool) -> None:
    """Say what deletion and replacement mean for a resource that holds data.

    Replacement never deletes: what CloudFormation replaces stays behind, whatever the user says of deletion.

    Args:
        resource: The bucket or file system, or what it cannot stand without.
        is_retained: Whether it outlives its stack.
    """
    options = resource.cfn_options
    # What a failed first deployment made is empty, and would be in the way of the next one.
    retained = CfnDeletionPolicy.RETAIN_EXCEPT_ON_CREATE
    options.deletion_policy = retained if is_retained else CfnDeletionPolicy.DELETE
    options.update_replace_policy = CfnDeletionPolicy.RETAIN
