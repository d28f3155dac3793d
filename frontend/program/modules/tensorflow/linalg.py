"""tf.linalg."""
from tensorflow import _names
from tensorflow._public import export

_table = _names.table(("_linear", _names._LINEAR), ("_array", "eye"), ("_math", "l2_normalize"))
_table.update({"transpose": "_linear:adjoint", "normalize": "_linear:normalize",
               "tensor_diag": "_linear:diag", "tensor_diag_part": "_linear:diag_part",
               "diag_v2": "_linear:diag"})
__getattr__ = export(globals(), _table, "compat.v1.linalg")
