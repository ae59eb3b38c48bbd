"""Facts on instance types, each with source and date."""
