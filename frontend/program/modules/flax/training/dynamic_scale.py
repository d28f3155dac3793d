"""flax.training.dynamic_scale."""

from typing import Any

from flax import struct
from jax import _core as _c


class DynamicScale(struct.PyTreeNode):
    growth_factor: float = struct.field(pytree_node=False, default=2.0)
    backoff_factor: float = struct.field(pytree_node=False, default=0.5)
    growth_interval: int = struct.field(pytree_node=False, default=2000)
    fin_steps: Any = 0
    scale: Any = 65536.0
    minimum_scale: Any = None

    def value_and_grad(self, fun, argnums=0, has_aux=False, axis_name=None):
        from jax._transforms import value_and_grad
        f = value_and_grad(fun, argnums, has_aux)

        def run(*args):
            aux, grads = f(*args)
            return DynamicScaleResult(self, _c.known(True, _c.bool_), aux, grads)
        return run


class DynamicScaleResult(tuple):
    def __new__(cls, dynamic_scale, finite, aux, grad):
        return tuple.__new__(cls, (dynamic_scale, finite, aux, grad))

    @property
    def aux(self):
        return self[2]

    @property
    def grad(self):
        return self[3]
