"""The optimizers of Keras."""

import _tilewise as _t
from keras.optimizers._optimizer import Optimizer

_unk = _t.is_unknown


class SGD(Optimizer):
    _kind = "SGD"
    _facts = ("momentum", "nesterov")

    def __init__(self, learning_rate=0.01, momentum=0.0, nesterov=False, weight_decay=None,
                 **kwargs):
        Optimizer.__init__(self, learning_rate, weight_decay, momentum=momentum,
                           nesterov=nesterov, **kwargs)


class RMSprop(Optimizer):
    _kind = "RMSprop"
    _facts = ("rho", "momentum", "epsilon")

    def __init__(self, learning_rate=0.001, rho=0.9, momentum=0.0, epsilon=1e-7, centered=False,
                 weight_decay=None, **kwargs):
        Optimizer.__init__(self, learning_rate, weight_decay, rho=rho, momentum=momentum,
                           epsilon=epsilon, centered=centered, **kwargs)


class _Moments(Optimizer):
    _facts = ("beta_1", "beta_2", "epsilon")
    _rate = 0.001


class Adam(_Moments):
    _kind = "Adam"

    def __init__(self, learning_rate=0.001, beta_1=0.9, beta_2=0.999, epsilon=1e-7,
                 amsgrad=False, weight_decay=None, **kwargs):
        Optimizer.__init__(self, learning_rate, weight_decay, beta_1=beta_1, beta_2=beta_2,
                           epsilon=epsilon, amsgrad=amsgrad, **kwargs)


class AdamW(Adam):
    _kind = "AdamW"

    def __init__(self, learning_rate=0.001, weight_decay=0.004, beta_1=0.9, beta_2=0.999,
                 epsilon=1e-7, amsgrad=False, **kwargs):
        Optimizer.__init__(self, learning_rate, weight_decay, beta_1=beta_1, beta_2=beta_2,
                           epsilon=epsilon, amsgrad=amsgrad, **kwargs)


class Adamax(_Moments):
    _kind = "Adamax"

    def __init__(self, learning_rate=0.001, beta_1=0.9, beta_2=0.999, epsilon=1e-7, **kwargs):
        Optimizer.__init__(self, learning_rate, beta_1=beta_1, beta_2=beta_2, epsilon=epsilon,
                           **kwargs)


class Nadam(Adamax):
    _kind = "Nadam"


class Adadelta(Optimizer):
    _kind = "Adadelta"
    _facts = ("rho", "epsilon")

    def __init__(self, learning_rate=0.001, rho=0.95, epsilon=1e-7, weight_decay=None, **kwargs):
        Optimizer.__init__(self, learning_rate, weight_decay, rho=rho, epsilon=epsilon, **kwargs)


class Adagrad(Optimizer):
    _kind = "Adagrad"
    _facts = ("initial_accumulator_value", "epsilon")

    def __init__(self, learning_rate=0.001, initial_accumulator_value=0.1, epsilon=1e-7,
                 weight_decay=None, **kwargs):
        Optimizer.__init__(self, learning_rate, weight_decay, epsilon=epsilon,
                           initial_accumulator_value=initial_accumulator_value, **kwargs)


class Adafactor(Optimizer):
    _kind = "Adafactor"

    def __init__(self, learning_rate=0.001, beta_2_decay=-0.8, epsilon_1=1e-30, epsilon_2=1e-3,
                 clip_threshold=1.0, relative_step=True, weight_decay=None, **kwargs):
        Optimizer.__init__(self, learning_rate, weight_decay, beta_2_decay=beta_2_decay,
                           clip_threshold=clip_threshold, relative_step=relative_step, **kwargs)


class Ftrl(Optimizer):
    _kind = "Ftrl"

    def __init__(self, learning_rate=0.001, learning_rate_power=-0.5, **kwargs):
        Optimizer.__init__(self, learning_rate, learning_rate_power=learning_rate_power, **kwargs)


class Lion(Optimizer):
    _kind = "Lion"
    _facts = ("beta_1", "beta_2")

    def __init__(self, learning_rate=0.001, beta_1=0.9, beta_2=0.99, weight_decay=None, **kwargs):
        Optimizer.__init__(self, learning_rate, weight_decay, beta_1=beta_1, beta_2=beta_2,
                           **kwargs)


class Lamb(Adam):
    _kind = "Lamb"


class Muon(Optimizer):
    _kind = "Muon"

    def __init__(self, learning_rate=0.001, adam_beta_1=0.9, adam_beta_2=0.999, **kwargs):
        Optimizer.__init__(self, learning_rate, **kwargs)


class LossScaleOptimizer(Optimizer):
    """Another optimizer whose losses are scaled."""

    def __init__(self, inner_optimizer=None, initial_scale=32768.0, dynamic_growth_steps=2000,
                 dynamic=True, optimizer=None, **kwargs):
        inner = optimizer if inner_optimizer is None else inner_optimizer
        Optimizer.__init__(self, 0.0)
        self.inner_optimizer = inner
        self.initial_scale, self.dynamic = initial_scale, dynamic
        self.loss_scale = initial_scale

    def __getattr__(self, name):
        if name == "inner_optimizer":
            raise AttributeError(name)
        return getattr(self.inner_optimizer, name)

    @property
    def learning_rate(self):
        return self.inner_optimizer.learning_rate

    @learning_rate.setter
    def learning_rate(self, value):
        if "inner_optimizer" in self.__dict__:
            self.inner_optimizer.learning_rate = value

    lr = learning_rate

    def _record(self):
        self.inner_optimizer._record()

    def _train(self, loss, variables):
        self.inner_optimizer._train(loss, variables)

    def apply_gradients(self, grads_and_vars, *args, **kwargs):
        return self.inner_optimizer.apply_gradients(grads_and_vars, *args, **kwargs)


KINDS = {c.__name__.lower(): c for c in (SGD, RMSprop, Adam, AdamW, Adamax, Nadam, Adadelta,
                                         Adagrad, Adafactor, Ftrl, Lion, Lamb, Muon,
                                         LossScaleOptimizer)}
KINDS["momentum"] = SGD


def get(identifier):
    """An optimizer by any of its names."""
    if identifier is None or _unk(identifier):
        return identifier
    if isinstance(identifier, dict):
        kind = KINDS.get(str(identifier.get("class_name")).lower())
        return kind(**identifier.get("config", {}))
    if isinstance(identifier, str):
        kind = KINDS.get(identifier.lower().replace("_", ""))
        if kind is None:
            from keras._registry import custom_object
            kind = custom_object(identifier)
        if kind is None:
            raise ValueError("Could not interpret optimizer identifier: " + identifier)
        return kind()
    if isinstance(identifier, type):
        return identifier()
    return identifier
