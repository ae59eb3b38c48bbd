"""The resource types that the embedded AWS can make, one module a service.

A type is a small class with ``create``, ``delete`` and, where CloudFormation can change one in place,
``update``. Each calls the service's API, as CloudFormation's own handlers do. To add a type, write its class
and add it to ``TYPES`` of its module.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from clusterwright.localcloud.resources import (
    custom,
    ec2_gateways,
    ec2_network,
    ec2_nodes,
    ec2_security,
    ecr,
    eks,
    fsx,
    iam,
    kms,
    kubernetes,
    lambdas,
    logs,
    s3,
    s3express,
    scheduler,
    ssm,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

    from clusterwright.localcloud.resources.resource_type import ResourceType

MODULES = (
    custom,
    ec2_gateways,
    ec2_network,
    ec2_nodes,
    ec2_security,
    ecr,
    eks,
    fsx,
    iam,
    kms,
    kubernetes,
    lambdas,
    logs,
    s3,
    s3express,
    scheduler,
    ssm,
)

RESOURCE_TYPES: Mapping[str, ResourceType] = {
    resource_type.name: resource_type for module in MODULES for resource_type in module.TYPES
}
"""Every type that can be made, by its name such as ``AWS::EC2::VPC``."""
