"""flax.errors."""

from flax.linen._module import ScopeParamNotFoundError


class FlaxError(Exception):
    pass


class InvalidCheckpointError(FlaxError):
    pass


class InvalidRngError(FlaxError):
    pass


class ScopeVariableNotFoundError(FlaxError):
    pass
