"""What is known before a deployment: one rule a file, each with a code."""
