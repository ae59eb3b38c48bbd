"""``python -m clusterwright.cli``: the command line without its console script."""

from clusterwright.cli import main

main()
