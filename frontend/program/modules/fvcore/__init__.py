"""What the projects of FAIR share: configurations, registries, initializers."""
