"""Copies of what nodes download: all artifacts of a cluster in a bucket or a folder, with a manifest."""
