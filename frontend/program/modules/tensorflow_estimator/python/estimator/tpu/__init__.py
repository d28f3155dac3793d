"""tensorflow_estimator.python.estimator.tpu."""

from tensorflow.python import _leaf as tpu_estimator
from tensorflow.python import _leaf as tpu_config
from tensorflow.python import _leaf as tpu_context
from tensorflow.python import _leaf as error_handling
from tensorflow.python import _leaf as util
