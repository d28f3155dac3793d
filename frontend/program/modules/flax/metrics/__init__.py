"""flax.metrics."""

from flax.metrics import tensorboard
