"""What all stacks of a cluster share: their name and place."""

from __future__ import annotations

from typing import TYPE_CHECKING

from aws_cdk import Environment, Stack, Token

if TYPE_CHECKING:
    from aws_cdk import App

    from clusterwright.config.cluster import ClusterConfig


class ClusterPartStack(Stack):
    """A stack of one cluster, named ``CLUSTER-PART``."""

    def __init__(self, app: App, part: str, *, cluster: ClusterConfig, description: str) -> None:
        """Make the stack.

        Args:
            app: The app.
            part: What the stack holds; the end of its name. A change replaces its resources.
            cluster: The cluster.
            description: One line, shown in the CloudFormation console.
        """
        super().__init__(
            app,
            f"{cluster.name}-{part}",
            description=f"{description} (clusterwright)",
            env=Environment(account=cluster.account, region=cluster.region),
        )

    def keep_exports(self, *values: str) -> None:
        """Export values for other stacks whether or not one uses them now.

        An export that only a removed pool used would otherwise vanish from this stack while the pool's own
        stack still stands and imports it, and CloudFormation would refuse the update.
        """
        for value in values:
            if Token.is_unresolved(value):
                self.export_value(value)
