"""haiku._src.basic."""

from haiku._layers import (Linear, Sequential, Bias, dropout, one_hot, multinomial)
from haiku import BatchApply, expand_apply, to_module
