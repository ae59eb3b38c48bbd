"""CloudFormation: templates become resources, through the same API calls that a person would make."""
