"""keras.mixed_precision."""

from keras import _policy
from keras._policy import DTypePolicy, Policy
from keras.optimizers import LossScaleOptimizer

set_global_policy = set_dtype_policy = _policy.set
global_policy = dtype_policy = get_policy = _policy.get


class experimental:
    """Names of before TensorFlow 2.4."""
    Policy = Policy
    set_policy = _policy.set
    global_policy = _policy.get
    LossScaleOptimizer = LossScaleOptimizer
