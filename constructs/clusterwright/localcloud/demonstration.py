"""The life of a cluster in the embedded AWS, by the real CDK CLI: bootstrap, deploy, change, destroy."""

from __future__ import annotations

from typing import TYPE_CHECKING

import yaml

from clusterwright.deployed import DeployedCluster, stack_names
from clusterwright.errors import LocalCloudError, ToolError
from clusterwright.labels import LABEL_DOMAIN, POOL_LABEL
from clusterwright.localcloud.inventory import (
    BOOTSTRAP_STACK,
    Inventory,
    account_contents,
    take_inventory,
)
from clusterwright.localcloud.seeding import seed
from clusterwright.localcloud.storage_inventory import describe_kept, kept_ids

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    from types_boto3_eks.type_defs import NodegroupTypeDef

    from clusterwright.cdk_cli import CdkCli
    from clusterwright.config.cluster import ClusterConfig
    from clusterwright.localcloud.cloud import LocalCloud

EDITED_LABEL = (f"{LABEL_DOMAIN}/demo", "edited")
"""The label that the demonstration adds to a pool, to have something to change."""


class Demonstration:
    """One cluster in one embedded AWS, step by step.

    Args:
        cloud: A running embedded AWS.
        cdk: The CDK CLI.
        file: The cluster.yaml.
        cluster: What it says.
        on_line: Called with each line that the CDK CLI prints.
    """

    def __init__(
        self,
        cloud: LocalCloud,
        cdk: CdkCli,
        file: Path,
        cluster: ClusterConfig,
        on_line: Callable[[str], None],
    ) -> None:
        self._cloud = cloud
        self._cdk = cdk
        self._file = file
        self._cluster = cluster
        self._on_line = on_line
        seed(cloud, cluster)
        self._before: frozenset[str] = frozenset()

    def bootstrap(self) -> str:
        """Prepare the account for the CDK, as a person does once."""
        account = self._cloud.account
        self._run("bootstrap", f"aws://{account.id}/{account.region}", file=self._file)
        self._before = account_contents(self._cloud)
        return f"aws://{account.id}/{account.region}"

    def deploy(self) -> str:
        """Deploy every stack."""
        self._run("deploy", "--all", "--require-approval", "never", file=self._file)
        stacks = self._statuses()
        self._expect(stacks, "CREATE_COMPLETE")
        return f"{len(stacks)} stacks"

    def deploy_again(self) -> str:
        """Deploy once more; nothing may change.

        Raises:
            LocalCloudError: A stack changed.
        """
        lines = self._run("deploy", "--all", "--require-approval", "never", file=self._file)
        unchanged = sum("(no changes)" in line for line in lines)
        stacks = self._statuses()
        if unchanged != len(stacks):
            raise LocalCloudError(
                f"{len(stacks) - unchanged} of {len(stacks)} stacks changed without a cause"
            )
        self._expect(stacks, "CREATE_COMPLETE")
        return "no changes"

    def write_edit(self, file: Path) -> str:
        """Write a copy of the cluster.yaml in which the last pool has one label more.

        Returns:
            The pool's name.
        """
        document = yaml.safe_load(self._file.read_text(encoding="utf-8"))
        pool, section = list(document["pools"].items())[-1]
        key, value = EDITED_LABEL
        section["labels"] = {**(section.get("labels") or {}), key: value}
        file.write_text(yaml.safe_dump(document, sort_keys=False), encoding="utf-8")
        return str(pool)

    def diff(self, edited: Path) -> list[str]:
        """What the CDK says that an edited file would change.

        Returns:
            One line a resource, such as ``[~] AWS::EKS::Nodegroup …``, each with its properties below.

        Raises:
            LocalCloudError: It shows no change.
        """
        lines = self._run("diff", "--all", file=edited)
        changes = [line.strip() for line in lines if "[+]" in line or "[-]" in line or "[~]" in line]
        if not any(EDITED_LABEL[0] in line for line in lines) or not changes:
            raise LocalCloudError("cdk diff does not show the change")
        return changes

    def update(self, edited: Path, pool: str) -> str:
        """Deploy an edited file, and read the change back from EKS.

        Raises:
            LocalCloudError: The node group was replaced, or does not have the new label.
        """
        arn = self._find_node_group(pool)["nodegroupArn"]
        self._run("deploy", "--all", "--require-approval", "never", file=edited)
        group = self._find_node_group(pool)
        if group["nodegroupArn"] != arn:
            raise LocalCloudError(f"node group {pool} was replaced, not updated in place")
        key, value = EDITED_LABEL
        if group["labels"].get(key) != value:
            raise LocalCloudError(f"node group {pool} has labels {group['labels']}, without {key}")
        return f"node group {pool} updated in place"

    def _find_node_group(self, pool: str) -> NodegroupTypeDef:
        eks, cluster = self._cloud.client("eks"), self._cluster.name
        groups = (
            eks.describe_nodegroup(clusterName=cluster, nodegroupName=name)["nodegroup"]
            for name in eks.list_nodegroups(clusterName=cluster)["nodegroups"]
        )
        found: NodegroupTypeDef = next(group for group in groups if group["labels"].get(POOL_LABEL) == pool)
        return found

    def inventory(self) -> Inventory:
        """What exists now."""
        return take_inventory(self._cloud)

    def destroy(self) -> str:
        """Lift the cluster's deletion protection and destroy its stacks, as ``clusterwright destroy`` does.

        Raises:
            LocalCloudError: Something is left that was not there before and is not kept on purpose.
        """
        deployed = DeployedCluster(self._cluster, self._cloud.client)
        deployed.allow_deletion()
        lasting = deployed.storage.find_lasting_stacks()
        doomed = [name for name in stack_names(self._cluster) if name not in lasting]
        self._run("destroy", *doomed, "--exclusively", "--force", file=self._file)
        left = account_contents(self._cloud) - self._before
        kept_on_purpose = kept_ids(self._cloud, lasting)
        kept = {item for item in left if item.rpartition(" ")[2] in kept_on_purpose}
        if left - kept:
            raise LocalCloudError(f"destroy left behind: {', '.join(sorted(left - kept))}")
        return describe_kept(lasting, kept) if kept else "nothing is left"

    def _run(self, *args: str, file: Path, context: Mapping[str, str] | None = None) -> list[str]:
        """Run the CDK CLI; returns what it printed.

        Raises:
            ToolError: It failed.
        """
        lines: list[str] = []

        def keep(line: str) -> None:
            lines.append(line)
            self._on_line(line)

        environment = self._cloud.environment()
        code = self._cdk.run(args, cluster_file=file, environment=environment, context=context, on_line=keep)
        if code != 0:
            raise ToolError(f"cdk {args[0]} failed with exit code {code}:\n" + "\n".join(lines))
        return lines

    def _statuses(self) -> dict[str, str]:
        stacks = self._cloud.client("cloudformation").describe_stacks()["Stacks"]
        return {
            stack["StackName"]: stack["StackStatus"]
            for stack in stacks
            if stack["StackName"] != BOOTSTRAP_STACK
        }

    @staticmethod
    def _expect(stacks: dict[str, str], status: str) -> None:
        wrong = {name: found for name, found in stacks.items() if found != status}
        if wrong or not stacks:
            raise LocalCloudError(f"stacks are not {status}: {wrong or 'there are none'}")
