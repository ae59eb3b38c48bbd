"""What is deployed together: the stacks of a cluster, split by lifetime."""
