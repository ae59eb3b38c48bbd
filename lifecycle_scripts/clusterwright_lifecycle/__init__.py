"""What runs on the nodes: templates with one context model each."""
