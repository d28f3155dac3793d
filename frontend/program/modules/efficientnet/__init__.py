"""efficientnet: the models of its module for each Keras."""

__version__ = "1.1.1"
