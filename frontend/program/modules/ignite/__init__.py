"""ignite: engines that call a step for each batch, and handlers between."""

__version__ = "0.5.0"
