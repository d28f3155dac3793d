"""tensorflow.python: paths within TensorFlow that programs import in spite of their being private.

Any package is one module here, and so is any module within one; they find names by themselves.
"""

from tensorflow.python import _package

framework = ops = training = platform = client = tpu = util = eager = layers = lib = _package
estimator = summary = saved_model = distribute = autograph = tools = profiler = debug = _package
data = training_tracking = trackable = compiler = feature_column = module = checkpoint = _package
pywrap_tensorflow = tf2 = pywrap_tfe = _package._leaf


def __getattr__(name):
    return getattr(_package._leaf, name)
