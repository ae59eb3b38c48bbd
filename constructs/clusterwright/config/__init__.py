"""What a user may say in cluster.yaml: one frozen model a section."""
