"""The rules, one a file; `clusterwright.checks.registry` lists them."""
