"""tf.estimator.tpu."""

from tensorflow._tf1.estimators import (
    InputPipelineConfig, TPUConfig, TPUEstimator, TPUEstimatorSpec)
from tensorflow._tf1.estimators import TPURunConfig as RunConfig
from tensorflow._tf1.graph import Quiet


class experimental:
    class EmbeddingConfigSpec(Quiet):
        pass
