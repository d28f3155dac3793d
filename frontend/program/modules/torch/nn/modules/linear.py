from .._layers import Bilinear, Linear, NonDynamicallyQuantizableLinear
from .._module import Identity
