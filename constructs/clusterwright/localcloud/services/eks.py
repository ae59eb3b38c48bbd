"""EKS, whole: moto's drops most properties and has no add-ons, access entries or pod identities."""

from __future__ import annotations

from clusterwright.localcloud.services.eks_access import EksAccess
from clusterwright.localcloud.services.eks_addons import EksAddons
from clusterwright.localcloud.services.eks_clusters import EksClusters
from clusterwright.localcloud.services.eks_nodegroups import EksNodeGroups


class EksService(EksClusters, EksNodeGroups, EksAddons, EksAccess):
    """Clusters, node groups, add-ons, pod identities and access entries."""
