"""Security groups that nodes are tied to, which stay while file systems come and go."""

from __future__ import annotations

from aws_cdk import CfnTag
from aws_cdk import aws_ec2 as ec2
from constructs import Construct

from clusterwright.storage.retention import keep_data


class StorageAccess(Construct):
    """A group for all Lustre servers, and one for the clients of the homes.

    EC2 deletes no group that another one names or that an interface has, and the storage is deployed before
    the pools: a group that left the template with a file system would stay in the VPC, and keep the VPC from
    being deleted. So these are there even where nothing uses them yet, or any more.

    Attributes:
        lustre_servers_id: Id of a group that all Lustre servers are in, beside one of each file system's own.
        home_clients_id: Id of the group of the clients of the homes.
    """

    def __init__(
        self,
        scope: Construct,
        construct_id: str,
        *,
        vpc: ec2.IVpc,
        is_retained: bool = True,
        name: str = "cluster",
    ) -> None:
        """Make the groups.

        Args:
            scope: The parent.
            construct_id: The id; a change replaces the file systems.
            vpc: The VPC.
            is_retained: Whether they outlive their stack, as they must where a file system does.
            name: What their Name tags begin with.
        """
        super().__init__(scope, construct_id)
        # Descriptions never change: CloudFormation replaces groups for it, and file systems for their groups.
        servers, clients = (
            ec2.CfnSecurityGroup(
                self,
                child,
                group_description=description,
                vpc_id=vpc.vpc_id,
                tags=[CfnTag(key="Name", value=f"{name}-{suffix}")],
            )
            for child, description, suffix in (
                ("LustreServers", "Lustre servers of all file systems", "lustre-servers"),
                ("HomeClients", "NFS clients of the homes", "home-clients"),
            )
        )
        keep_data(servers, is_retained=is_retained)
        keep_data(clients, is_retained=is_retained)
        self.lustre_servers_id = servers.attr_group_id
        self.home_clients_id = clients.attr_group_id
