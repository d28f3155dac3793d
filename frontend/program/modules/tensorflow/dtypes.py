"""tf.dtypes."""
from tensorflow._dtypes import *
from tensorflow._dtypes import as_dtype, bool_
from tensorflow._math import cast, saturate_cast
from tensorflow._math import complex as complex

bool = bool_
