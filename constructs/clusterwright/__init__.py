"""clusterwright: AI clusters on AWS from one checked cluster.yaml."""
