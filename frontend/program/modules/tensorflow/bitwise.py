"""tf.bitwise."""
from tensorflow._public import export

__getattr__ = export(globals(), {
    "bitwise_and": "_math", "bitwise_or": "_math", "bitwise_xor": "_math", "invert": "_math",
    "left_shift": "_math", "right_shift": "_math"})
