"""flax.optim, the optimizers before optax."""

import _tilewise as _t
from jax import _tree
from jax import _transforms as _tr
from jax import _core as _c
from flax.linen import _module

_module.FROZEN[0] = True


class OptimizerDef:
    name = "SGD"

    def __init__(self, learning_rate=None, beta=0.9, weight_decay=0.0, nesterov=False, **kw):
        self.learning_rate = learning_rate
        self.weight_decay = weight_decay
        self.momentum = beta

    def facts(self):
        return {}

    def create(self, target, focus=None):
        facts = {"name": self.name, "lr": _c.number_or(self.learning_rate, None),
                 "weight_decay": self.weight_decay}
        facts.update(self.facts())
        _t.record("optimizer", **{k: v for k, v in facts.items() if v is not None})
        return Optimizer(self, target, OptimizerState(0, None))


class OptimizerState:
    def __init__(self, step, param_states):
        self.step = step
        self.param_states = param_states


_tree.register(OptimizerState, lambda s: ([s.step, s.param_states], None),
               lambda d, c: OptimizerState(c[0], c[1]))


class Optimizer:
    def __init__(self, optimizer_def, target, state):
        self.optimizer_def = optimizer_def
        self.target = target
        self.state = state

    def apply_gradient(self, grads, **hyper_params):
        name = self.optimizer_def.name
        _t.record("step", by="jax", name=name, optimizer=name)
        _tr.UPDATES[0] += 1
        _tr._pending[0] = False
        return Optimizer(self.optimizer_def, self.target,
                         OptimizerState(self.state.step + 1, self.state.param_states))

    def compute_gradient(self, loss_fn):
        return _tr.value_and_grad(loss_fn)(self.target)

    def optimize(self, loss_fn, **kw):
        out, grads = self.compute_gradient(loss_fn)
        return self.apply_gradient(grads, **kw), out

    def replace(self, **kw):
        return Optimizer(kw.get("optimizer_def", self.optimizer_def),
                         kw.get("target", self.target), kw.get("state", self.state))

    def replicate(self, *args, **kw):
        return self

    unreplicate = replicate

    def state_dict(self):
        return {}

    def restore_state(self, state):
        return self


_tree.register(Optimizer, lambda o: ([o.target, o.state], o.optimizer_def),
               lambda d, c: Optimizer(d, c[0], c[1]), None, lambda o: ["target", "state"])


class GradientDescent(OptimizerDef):
    pass


class Momentum(OptimizerDef):
    def facts(self):
        return {"momentum": self.momentum}


class Adam(OptimizerDef):
    name = "Adam"

    def __init__(self, learning_rate=None, beta1=0.9, beta2=0.999, eps=1e-8, weight_decay=0.0):
        super().__init__(learning_rate, weight_decay=weight_decay)
        self.betas = (beta1, beta2)
        if weight_decay:
            self.name = "AdamW"

    def facts(self):
        return {"b1": self.betas[0], "b2": self.betas[1]}


class RMSProp(OptimizerDef):
    name = "RMSprop"


class LAMB(OptimizerDef):
    name = "LAMB"


class LARS(OptimizerDef):
    name = "LARS"


class Adafactor(OptimizerDef):
    name = "Adafactor"


class Adagrad(OptimizerDef):
    name = "Adagrad"


class AdaBelief(OptimizerDef):
    name = "AdaBelief"


class ModelParamTraversal:
    def __init__(self, filter_fn):
        self.filter_fn = filter_fn


class MultiOptimizer(OptimizerDef):
    def __init__(self, *pairs):
        first = pairs[0][1]
        super().__init__(first.learning_rate)
        self.name = first.name
