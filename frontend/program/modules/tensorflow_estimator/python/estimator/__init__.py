"""tensorflow_estimator.python.estimator."""

from tensorflow.python import _leaf as estimator
from tensorflow.python import _leaf as model_fn
from tensorflow.python import _leaf as run_config
from tensorflow.python import _leaf as training
from tensorflow.python import _leaf as exporter
from tensorflow.python import _leaf as inputs
from tensorflow.python import _leaf as util
