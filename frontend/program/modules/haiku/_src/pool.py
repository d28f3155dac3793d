"""haiku._src.pool."""

from haiku._layers import max_pool, avg_pool, MaxPool, AvgPool
