"""Optimizers of TensorFlow 1: the loss and the weights that are trained are recorded."""

import _tilewise as _t
from tensorflow._tape import stepped
from tensorflow._tensor import Tensor
from tensorflow._tf1 import graph as _g
from tensorflow._tf1.gradients import gradients


def plain(x):
    """A number when it is known, else None."""
    if callable(x):
        x = x()
    if _t.is_unknown(x) or x is None:
        return None
    if isinstance(x, (int, float)):
        return float(x)
    if isinstance(x, Tensor):
        n = _t.numbers(x._h)
        return float(n) if isinstance(n, (int, float)) else None
    return None


_KINDS = [("lamb", "Lamb"), ("lars", "Lars"), ("adafactor", "Adafactor"),
          ("adamweightdecay", "AdamW"), ("adamw", "AdamW"), ("adamax", "Adamax"),
          ("adam", "Adam"), ("rmsprop", "RMSprop"), ("momentum", "SGD"), ("ftrl", "Ftrl"),
          ("adagrad", "Adagrad"), ("adadelta", "Adadelta"), ("gradientdescent", "SGD"),
          ("sgd", "SGD")]


def kind_of(cls):
    """What optimizer a class is, by its name or that of a base."""
    for c in cls.__mro__:
        name = c.__name__.lower().replace("_", "")
        for part, kind in _KINDS:
            if part in name:
                return kind
    return cls.__name__


_OPTIONS = {"lr": ("_lr", "_learning_rate", "learning_rate"),
            "momentum": ("_momentum", "momentum", "beta_1_momentum"),
            "weight_decay": ("weight_decay_rate", "_weight_decay", "weight_decay",
                             "_weight_decay_rate")}


class Optimizer:
    GATE_NONE, GATE_OP, GATE_GRAPH = 0, 1, 2
    trains_weights = True

    def __init_subclass__(cls, **kw):
        if cls.__module__.split(".")[0] == "tensorflow":
            return
        own = cls.__dict__.get("apply_gradients")
        if own is not None:
            cls._own_apply = own
            cls.apply_gradients = _applied

    def __init__(self, use_locking=False, name="Optimizer"):
        self._use_locking = use_locking
        self._name = name
        self._slots = {}

    def get_name(self):
        return self._name

    def _facts(self):
        """Its name and what numbers of it are known."""
        facts = {"name": kind_of(type(self))}
        for fact, names in _OPTIONS.items():
            for name in names:
                value = plain(getattr(self, name, None))
                if value is not None:
                    facts[fact] = value
                    break
        return facts

    def compute_gradients(self, loss, var_list=None, gate_gradients=1, aggregation_method=None,
                          colocate_gradients_with_ops=False, grad_loss=None, **kw):
        if callable(loss) and not isinstance(loss, Tensor):
            loss = loss()
            _g.get_default_graph().eager = True
        if var_list is None:
            var_list = _g.trainable_variables()
        var_list = list(var_list)
        return list(zip(gradients(loss, var_list), var_list))

    def apply_gradients(self, grads_and_vars, global_step=None, name=None, **kw):
        return self._record(global_step)

    def _record(self, global_step=None):
        graph = _g.get_default_graph()
        graph.trains = True
        graph.optimizer = self._facts()
        _t.record("optimizer", **graph.optimizer)
        stepped()
        if graph.eager or not graph.symbolic:
            # The gradients are those of a tape: this is the step.
            _t.record("step", name=graph.optimizer["name"])
        return _g.Operation(True, name=self._name)

    def minimize(self, loss, global_step=None, var_list=None, gate_gradients=1,
                 aggregation_method=None, colocate_gradients_with_ops=False, name=None,
                 grad_loss=None, **kw):
        pairs = self.compute_gradients(loss, var_list)
        return self.apply_gradients(pairs, global_step=global_step)

    def get_slot(self, var, name):
        return _t.unknown("a slot of an optimizer")

    def get_slot_names(self):
        return []

    def variables(self):
        return []

    def _zeros_slot(self, var, slot_name, op_name):
        return _t.unknown("a slot of an optimizer")

    _get_or_make_slot = _create_non_slot_variable = _zeros_slot
    _call_if_callable = staticmethod(lambda x: x() if callable(x) else x)


def _applied(self, grads_and_vars, global_step=None, name=None, **kw):
    """In place of what a program's own class does with gradients: its kind says what it costs."""
    return Optimizer._record(self, global_step)


class GradientDescentOptimizer(Optimizer):
    def __init__(self, learning_rate, use_locking=False, name="GradientDescent"):
        super().__init__(use_locking, name)
        self._learning_rate = learning_rate


class MomentumOptimizer(Optimizer):
    def __init__(self, learning_rate, momentum, use_locking=False, name="Momentum",
                 use_nesterov=False):
        super().__init__(use_locking, name)
        self._learning_rate = learning_rate
        self._momentum = momentum
        self._use_nesterov = use_nesterov


class AdamOptimizer(Optimizer):
    def __init__(self, learning_rate=0.001, beta1=0.9, beta2=0.999, epsilon=1e-08,
                 use_locking=False, name="Adam", **kw):
        super().__init__(use_locking, name)
        self._lr = learning_rate
        self._beta1, self._beta2, self._epsilon = beta1, beta2, epsilon


class LazyAdamOptimizer(AdamOptimizer):
    pass


class AdaMaxOptimizer(AdamOptimizer):
    pass


class NadamOptimizer(AdamOptimizer):
    pass


class AdamWOptimizer(AdamOptimizer):
    def __init__(self, weight_decay, learning_rate=0.001, beta1=0.9, beta2=0.999, epsilon=1e-08,
                 use_locking=False, name="AdamW"):
        super().__init__(learning_rate, beta1, beta2, epsilon, use_locking, name)
        self._weight_decay = weight_decay


class MomentumWOptimizer(MomentumOptimizer):
    def __init__(self, weight_decay, learning_rate, momentum, use_locking=False,
                 name="MomentumW", use_nesterov=False):
        super().__init__(learning_rate, momentum, use_locking, name, use_nesterov)
        self._weight_decay = weight_decay


class LARSOptimizer(Optimizer):
    def __init__(self, learning_rate, momentum=0.9, weight_decay=0.0001, eeta=0.001,
                 epsilon=0.0, name="LARSOptimizer", skip_list=None, use_nesterov=False):
        super().__init__(False, name)
        self._learning_rate = learning_rate
        self._momentum = momentum
        self._weight_decay = weight_decay


class RMSPropOptimizer(Optimizer):
    def __init__(self, learning_rate, decay=0.9, momentum=0.0, epsilon=1e-10, use_locking=False,
                 centered=False, name="RMSProp"):
        super().__init__(use_locking, name)
        self._learning_rate = learning_rate
        self._momentum = momentum


class AdagradOptimizer(Optimizer):
    def __init__(self, learning_rate, initial_accumulator_value=0.1, use_locking=False,
                 name="Adagrad"):
        super().__init__(use_locking, name)
        self._learning_rate = learning_rate


class AdadeltaOptimizer(Optimizer):
    def __init__(self, learning_rate=0.001, rho=0.95, epsilon=1e-08, use_locking=False,
                 name="Adadelta"):
        super().__init__(use_locking, name)
        self._lr = learning_rate


class FtrlOptimizer(Optimizer):
    def __init__(self, learning_rate, learning_rate_power=-0.5, initial_accumulator_value=0.1,
                 l1_regularization_strength=0.0, l2_regularization_strength=0.0,
                 use_locking=False, name="Ftrl", **kw):
        super().__init__(use_locking, name)
        self._learning_rate = learning_rate


class AdafactorOptimizer(Optimizer):
    def __init__(self, learning_rate=None, multiply_by_parameter_scale=True, **kw):
        super().__init__(False, "Adafactor")
        self._lr = learning_rate


class ProximalGradientDescentOptimizer(GradientDescentOptimizer):
    def __init__(self, learning_rate, *args, **kw):
        super().__init__(learning_rate)


class ProximalAdagradOptimizer(AdagradOptimizer):
    def __init__(self, learning_rate, *args, **kw):
        super().__init__(learning_rate)


AdagradDAOptimizer = ProximalAdagradOptimizer


class Wrapped(Optimizer):
    """An optimizer that hands gradients on to another."""

    def __init__(self, opt, *args, name=None, **kw):
        super().__init__(False, name or type(self).__name__)
        self._opt = self._optimizer = opt

    def _facts(self):
        opt = self._opt
        facts = getattr(opt, "_facts", None)
        if facts is not None:
            return facts()
        return keras_facts(opt)

    def compute_gradients(self, loss, var_list=None, **kw):
        own = getattr(self._opt, "compute_gradients", None)
        if own is None:
            return Optimizer.compute_gradients(self, loss, var_list, **kw)
        return own(loss, var_list, **kw)

    def apply_gradients(self, grads_and_vars, global_step=None, name=None, **kw):
        if isinstance(self._opt, Optimizer):
            return self._opt.apply_gradients(list(grads_and_vars), global_step=global_step)
        return self._record(global_step)

    def __getattr__(self, name):
        if name in ("_opt", "_optimizer") or name[:2] == "__":
            raise AttributeError(name)
        return getattr(self.__dict__["_opt"], name)


class CrossShardOptimizer(Wrapped):
    pass


class SyncReplicasOptimizer(Wrapped):
    def make_session_run_hook(self, *args, **kw):
        return _g.Quiet()

    get_chief_queue_runner = get_init_tokens_op = make_session_run_hook


class MovingAverageOptimizer(Wrapped):
    def swapping_saver(self, *args, **kw):
        return _g.Quiet()


class DistributedOptimizer(Wrapped):
    pass


def keras_facts(opt):
    """Facts of an optimizer that is no class of TensorFlow 1."""
    facts = {"name": kind_of(type(opt)) if hasattr(type(opt), "__mro__") else "unknown"}
    for fact, names in (("lr", ("learning_rate", "lr")), ("momentum", ("momentum",)),
                        ("weight_decay", ("weight_decay",))):
        for name in names:
            value = plain(getattr(opt, name, None))
            if value is not None:
                facts[fact] = value
                break
    return facts


def extend_with_decoupled_weight_decay(base):
    class Extended(base):
        def __init__(self, weight_decay, *args, **kw):
            super().__init__(*args, **kw)
            self._weight_decay = weight_decay
    Extended.__name__ = base.__name__.replace("Adam", "AdamW")
    return Extended


class ExponentialMovingAverage:
    """Averages of weights are no part of what a step is taken to cost."""

    def __init__(self, decay, num_updates=None, zero_debias=False,
                 name="ExponentialMovingAverage"):
        self._decay = decay
        self.name = name
        self._variables = []

    def apply(self, var_list=None):
        self._variables = list(_g.trainable_variables() if var_list is None else var_list)
        for v in self._variables:
            _g.add_to_collection("moving_average_variables", v)
        return _g.Operation(_g.get_default_graph().control, self.name)

    def average(self, var):
        return var

    def average_name(self, var):
        return var.op.name + "/" + self.name

    def variables_to_restore(self, moving_avg_variables=None):
        restored = {}
        for v in moving_avg_variables or self._variables or _g.trainable_variables():
            restored[self.average_name(v)] = v
        for v in _g.global_variables():
            name = v.op.name
            if name not in restored and name + "/" + self.name not in restored:
                restored[name] = v
        return restored
