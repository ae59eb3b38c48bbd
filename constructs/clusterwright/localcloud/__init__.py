"""The embedded AWS: moto, and what moto lacks."""
