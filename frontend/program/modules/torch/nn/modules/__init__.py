from .._layers import *
from .._module import *
from . import batchnorm, conv, module, utils, linear, loss, activation, container, normalization
