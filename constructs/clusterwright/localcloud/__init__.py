"""The embedded AWS: moto, and what moto lacks.

    with LocalCloud(region="us-east-2") as cloud:
        subprocess.run(["cdk", "deploy", "--all"], env=cloud.environment())
        cloud.client("eks").list_clusters()

The CloudFormation here is our own (`cloudformation`): it makes each resource by the API calls that a person
would make (`resources`), and refuses a type that it does not know. EKS is our own too, and parts of EC2
(`services`); both refuse what AWS would refuse (`rules`). Every other service is moto's.
"""

from clusterwright.localcloud.isolation import own_settings_aside

with own_settings_aside():
    from clusterwright.localcloud.cloud import DEFAULT_ACCOUNT_ID, LocalCloud
    from clusterwright.localcloud.services.ec2 import CapacityReservation

__all__ = ["DEFAULT_ACCOUNT_ID", "CapacityReservation", "LocalCloud"]
