"""tf.nn."""
from tensorflow import _names
from tensorflow._public import export

_table = _names.table(("_nn", _names._NN), ("_losses", _names._LOSSES), (
    "_math", "sigmoid tanh top_k in_top_k l2_normalize zero_fraction log_sigmoid"),
    ("_gather", "space_to_depth depth_to_space"), ("_array", ""))
_table.update({"depthwise_conv2d_native": "_nn:depthwise_conv2d",
               "normalize_moments": "_nn:moments", "convolution_internal": "_nn:convolution",
               "isotonic_regression": "_math:sign"})
__getattr__ = export(globals(), _table, "compat.v1.nn")
