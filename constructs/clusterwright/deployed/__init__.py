"""What stands in the account, which no file tells."""

from clusterwright.deployed.cluster import DeployedCluster, stack_names
from clusterwright.deployed.storage import DeployedStorage, KeptThing

__all__ = ["DeployedCluster", "DeployedStorage", "KeptThing", "stack_names"]
