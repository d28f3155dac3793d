"""The older places of the classes."""
