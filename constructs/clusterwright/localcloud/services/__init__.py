"""Services that moto lacks, or has in a shape too rough to deploy a cluster on."""
