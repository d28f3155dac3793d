"""flax.training."""

from flax.training import train_state
from flax.training import common_utils
from flax.training import checkpoints
from flax.training import dynamic_scale
from flax.training import early_stopping
from flax.training import orbax_utils
from flax.training import prefetch_iterator
