"""Names that moved to ignite.handlers and ignite.metrics."""

from ignite import handlers, metrics
