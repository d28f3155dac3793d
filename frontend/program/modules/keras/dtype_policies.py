"""keras.dtype_policies."""

from keras._policy import DTypePolicy, DTypePolicyMap, FloatDTypePolicy
from keras._policy import policy_of as get


class QuantizedDTypePolicy(DTypePolicy):
    pass
