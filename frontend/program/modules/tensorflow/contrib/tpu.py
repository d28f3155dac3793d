"""tf.contrib.tpu."""

import tensorflow._tf1.tpu as _tpu
from tensorflow.contrib import _python as python
import tensorflow._tf1.tpu as tpu
from tensorflow._tf1.tpu import (
    AsyncCheckpointSaverHook, CrossShardOptimizer, InputPipelineConfig, RunConfig, TPUConfig,
    TPUDistributionStrategy, TPUEstimator, TPUEstimatorSpec, batch_parallel, bfloat16_scope,
    core, cross_replica_sum, initialize_system, keras_to_tpu_model, outside_compilation, repeat,
    replicate, rewrite, shard, shutdown_system, while_loop)


def __getattr__(name):
    return getattr(_tpu, name)
