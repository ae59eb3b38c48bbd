"""The yardstick of `synth`: the smallest CDK app with an L2 VPC and an L1 EKS cluster."""

from aws_cdk import App, Environment, Stack
from aws_cdk import aws_ec2 as ec2
from aws_cdk import aws_eks as eks

app = App(analytics_reporting=False)
stack = Stack(app, "Bare", env=Environment(region="us-east-2"))
vpc = ec2.Vpc(stack, "Vpc", availability_zones=["us-east-2a", "us-east-2b"])
eks.CfnCluster(
    stack,
    "Cluster",
    role_arn="arn:aws:iam::111122223333:role/Cluster",
    resources_vpc_config={"subnetIds": [subnet.subnet_id for subnet in vpc.private_subnets]},
)
app.synth()
