"""tf.math."""
from tensorflow import _names
from tensorflow._public import export

_table = _names.table(("_math", _names._MATH), ("_nn", "softmax log_softmax"))
_table.update({"divide": "_math:truediv", "erfcinv": "_math:erfinv", "floor_div": "_math:floordiv",
               "invert_permutation": "_gather", "abs": "_math", "nextafter": "_math:add",
               "bessel_i0": "_math:exp", "bessel_i1": "_math:exp", "bessel_i0e": "_math:exp",
               "bessel_i1e": "_math:exp", "mul_no_nan": "_math:multiply_no_nan"})
__getattr__ = export(globals(), _table, "compat.v1.math")
