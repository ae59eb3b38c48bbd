"""What compares a node with its version set. On nodes it is one file, `verify_node.py`; see `assembly`."""
