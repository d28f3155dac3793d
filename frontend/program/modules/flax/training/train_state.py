"""flax.training.train_state."""

from typing import Any

from flax import struct
from jax import _models


class TrainState(struct.PyTreeNode):
    step: Any
    apply_fn: Any = struct.field(pytree_node=False)
    params: Any = struct.field(pytree_node=True)
    tx: Any = struct.field(pytree_node=False)
    opt_state: Any = struct.field(pytree_node=True)

    def apply_gradients(self, *, grads, **kw):
        if isinstance(grads, dict) and "params" in grads and "params" in self.params:
            grads_of, params = grads["params"], self.params["params"]
        else:
            grads_of, params = grads, self.params
        import optax
        updates, opt_state = self.tx.update(grads_of, self.opt_state, params)
        new = optax.apply_updates(params, updates)
        if params is not self.params:
            whole = dict(self.params)
            whole["params"] = new
            new = whole
        return self.replace(step=self.step + 1, params=new, opt_state=opt_state, **kw)

    @classmethod
    def create(cls, *, apply_fn, params, tx, **kw):
        params = _models.known(params)
        own = params["params"] if isinstance(params, dict) and "params" in params else params
        return cls(step=0, apply_fn=apply_fn, params=params, tx=tx, opt_state=tx.init(own), **kw)
