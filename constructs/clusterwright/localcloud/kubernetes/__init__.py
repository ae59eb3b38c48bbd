"""A recorded Kubernetes API: manifests are checked as a server would, kept, and never run."""
