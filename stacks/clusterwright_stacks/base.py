"""What all stacks of a cluster share: their name, place and synthesizer."""

from __future__ import annotations

from typing import TYPE_CHECKING

from aws_cdk import DefaultStackSynthesizer, Environment, Stack, Token

from clusterwright.cdk_cli import DEMO_CONTEXT

if TYPE_CHECKING:
    from aws_cdk import App

    from clusterwright.config.cluster import ClusterConfig

CLUSTER_TAG = "clusterwright:cluster"
"""Tag on every resource: the name of its cluster."""


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
        is_demo = app.node.try_get_context(DEMO_CONTEXT) is not None
        super().__init__(
            app,
            f"{cluster.name}-{part}",
            description=f"{description} (clusterwright)",
            env=Environment(account=None if is_demo else cluster.account, region=cluster.region),
            # moto cannot keep the previous value of the version parameter that this rule brings.
            synthesizer=DefaultStackSynthesizer(generate_bootstrap_version_rule=False) if is_demo else None,
        )

    def keep_exports(self, *values: str) -> None:
        """Export values for other stacks whether or not one uses them now.

        An export that only a removed pool used would otherwise vanish from this stack while the pool's own
        stack still stands and imports it, and CloudFormation would refuse the update.
        """
        for value in values:
            if Token.is_unresolved(value):
                self.export_value(value)
