"""All storage of a cluster, as its ``storage`` section describes it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from aws_cdk import Aws, Stack
from aws_cdk import aws_kms as kms
from constructs import Construct

from clusterwright.labels import pascal_case
from clusterwright.storage.access import StorageAccess
from clusterwright.storage.buckets import AccessLogBucket, ExpressBucket, StorageBucket
from clusterwright.storage.keys import make_storage_key
from clusterwright.storage.lustre import LustreFileSystem
from clusterwright.storage.openzfs import HomeFileSystem
from clusterwright.storage_limits.buckets import name_bucket, name_express_bucket

if TYPE_CHECKING:
    from collections.abc import Sequence

    from aws_cdk import aws_ec2 as ec2

    from clusterwright.config.storage import StorageConfig


class ClusterStorage(Construct):
    """Buckets and file systems in the cluster's zone, each with its own key where asked.

    Attributes:
        buckets: By the user's names.
        express: Directory buckets by the user's names.
        lustre: File systems by the user's names.
        home: The homes, or None.
        access: The security groups by which nodes reach them.
    """

    def __init__(
        self,
        scope: Construct,
        construct_id: str,
        *,
        config: StorageConfig,
        name: str,
        vpc: ec2.IVpc,
        zone: str,
        subnet_id: str,
        home_deployment: str | None = None,
        home_subnet_ids: Sequence[str] = (),
        is_local_zone: bool = False,
        key: kms.IKey | None = None,
    ) -> None:
        """Make the storage.

        Args:
            scope: The parent.
            construct_id: The id.
            config: What to make.
            name: The cluster's name; names begin with it.
            vpc: The VPC.
            zone: Zone id of the nodes.
            subnet_id: The nodes' subnet.
            home_deployment: Deployment type of the homes; needed where there are some.
            home_subnet_ids: Subnets of the homes; the nodes' unless given.
            is_local_zone: Whether the zone is a local one.
            key: The key that ``kms: own`` means; one is made where needed unless given.
        """
        super().__init__(scope, construct_id)
        self._name = name
        self._config = config
        self._own_key = key
        self._named_keys: dict[str, kms.IKey] = {}
        self._add_buckets()
        self.express = {
            item: ExpressBucket(
                self,
                f"Express{pascal_case(item)}",
                config=each,
                name=name_express_bucket(name, item, Aws.ACCOUNT_ID, zone),
                zone=zone,
                is_local_zone=is_local_zone,
                key=self._pick_key(each.kms),
            )
            for item, each in config.express.items()
        }
        is_retained = [each.retain for each in config.lustre.values()]
        is_retained += [config.home.retain] if config.home else []
        self.access = StorageAccess(self, "Access", vpc=vpc, is_retained=any(is_retained), name=name)
        self._add_lustre(vpc, subnet_id)
        self.home: HomeFileSystem | None = None
        if config.home is not None and home_deployment is not None:
            self.home = HomeFileSystem(
                self,
                "Home",
                config=config.home,
                deployment=home_deployment,
                vpc=vpc,
                subnet_ids=home_subnet_ids or [subnet_id],
                clients_security_group_id=self.access.home_clients_id,
                name=f"{name}-home",
                key=self._pick_key(config.home.kms),
            )

    def _add_buckets(self) -> None:
        made = [each for each in self._config.buckets.values() if each.existing is None]
        is_retained = any(each.retain for each in made)
        logs = AccessLogBucket(self, "AccessLogs", is_retained=is_retained) if made else None
        self.buckets = {
            item: StorageBucket(
                self,
                f"Bucket{pascal_case(item)}",
                config=each,
                name=self._bucket_name(item),
                key=self._pick_key(each.kms),
                access_logs=logs,
            )
            for item, each in self._config.buckets.items()
        }

    def _add_lustre(self, vpc: ec2.IVpc, subnet_id: str) -> None:
        buckets = {item: each.bucket for item, each in self.buckets.items()}
        self.lustre = {
            item: LustreFileSystem(
                self,
                f"Lustre{pascal_case(item)}",
                config=each,
                vpc=vpc,
                subnet_id=subnet_id,
                name=f"{self._name}-{item}",
                buckets=buckets,
                key=self._pick_key(each.kms),
                more_security_group_ids=[self.access.lustre_servers_id],
            )
            for item, each in self._config.lustre.items()
        }

    def _pick_key(self, choice: str) -> kms.IKey | None:
        """The key that a ``kms`` field means: none of ours, our own, or one by its ARN."""
        if choice == "aws":
            return None
        if choice == "own":
            if self._own_key is None:
                self._own_key = self._make_key()
            return self._own_key
        if choice not in self._named_keys:
            # No id of another construct here begins like an ARN, whatever the user's names are.
            self._named_keys[choice] = kms.Key.from_key_arn(self, choice, choice)
        return self._named_keys[choice]

    def _make_key(self) -> kms.Key:
        """A key of ours, which FSx may use for the linked buckets that have it."""
        config = self._config
        linked = {link.bucket for system in config.lustre.values() for link in system.links}
        return make_storage_key(
            self,
            "Key",
            name=self._name,
            linked_buckets=[
                self._bucket_name(item)
                for item, bucket in config.buckets.items()
                if item in linked and bucket.kms == "own"
            ],
        )

    def _bucket_name(self, item: str) -> str:
        return name_bucket(self._name, item, Aws.ACCOUNT_ID, Stack.of(self).region)
