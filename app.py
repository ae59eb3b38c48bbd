"""The CDK app of a checkout: ``cdk deploy -c cluster=FILE``, the starter example unless a file is named."""

from clusterwright.examples import example_path
from clusterwright_stacks.__main__ import main

main(default_file=example_path("eks-starter"))
