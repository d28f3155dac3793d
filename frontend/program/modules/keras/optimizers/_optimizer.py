"""What optimizers have in common: they record the step."""

import _tilewise as _t
from keras._weights import record_model_of
from tensorflow import _tensor as _x
from tensorflow._public import state

Tensor = _x.Tensor
_unk = _t.is_unknown


class Rate:
    """A number that the program may set and compute with."""

    def __init__(self, value):
        self.value_now = value

    def _number(self):
        v = self.value_now
        if _unk(v) or isinstance(v, (int, float)):
            return v
        found = _x.number_of(v)
        return _t.unknown("a learning rate that is computed") if found is None else found

    def numpy(self):
        return self._number()

    value = read_value = __float__ = numpy

    def assign(self, value):
        self.value_now = value
        return self

    def assign_add(self, value):
        self.value_now = self._number() + value
        return self

    def assign_sub(self, value):
        self.value_now = self._number() - value
        return self

    @property
    def dtype(self):
        return _x.as_dtype("float32")

    shape = ()

    def to_handle(self, code):
        n = self._number()
        return _t.input([], code or "f32", "learning_rate", None) if _unk(n) else \
            _t.known(n, code or "f32")

    def __add__(self, other):
        return self._number() + other

    def __sub__(self, other):
        return self._number() - other

    def __rsub__(self, other):
        return other - self._number()

    def __mul__(self, other):
        return self._number() * other

    def __truediv__(self, other):
        return self._number() / other

    def __rtruediv__(self, other):
        return other / self._number()

    __radd__, __rmul__ = __add__, __mul__

    def __lt__(self, other):
        return self._number() < other

    def __gt__(self, other):
        return self._number() > other

    def __repr__(self):
        return str(self._number())

    def __format__(self, spec):
        return format(self._number(), spec)


def rate_of(value):
    """The learning rate of the first step as a number, or None."""
    if value is None or _unk(value):
        return None
    if isinstance(value, Rate):
        return rate_of(value.value_now)
    if isinstance(value, bool):
        return None
    if isinstance(value, (int, float)):
        return float(value)
    if isinstance(value, Tensor):
        return _x.number_of(value)
    if hasattr(value, "initial_rate"):
        return rate_of(value.initial_rate())
    if callable(value):
        try:
            if hasattr(value, "get_config"):
                return rate_of(value(_x.wrap(_t.known(0, "s64"))))
            return rate_of(value())
        except TypeError:
            return None
    return _x.number_of(value)


class Optimizer:
    """`_kind` is the name that the record has; `_facts` are arguments that it has as well. An
    optimizer of the program's own, which has none, is recorded by the name of its class."""
    _kind = None
    _facts = ()
    _rate = 0.01

    def __init__(self, learning_rate=None, weight_decay=None, clipnorm=None, clipvalue=None,
                 global_clipnorm=None, use_ema=False, ema_momentum=0.99,
                 ema_overwrite_frequency=None, loss_scale_factor=None,
                 gradient_accumulation_steps=None, name=None, lr=None, **kwargs):
        if isinstance(learning_rate, str) and name is None:
            learning_rate, name = None, learning_rate
        if lr is not None:
            learning_rate = lr
        if learning_rate is None:
            learning_rate = self._rate
        self._learning_rate = self._kept(learning_rate)
        self.name = name or type(self).__name__
        self.weight_decay = weight_decay
        self.clipnorm, self.clipvalue, self.global_clipnorm = clipnorm, clipvalue, global_clipnorm
        self.use_ema, self.ema_momentum = use_ema, ema_momentum
        self.gradient_accumulation_steps = gradient_accumulation_steps
        self.loss_scale_factor = loss_scale_factor
        for key in kwargs:
            setattr(self, key, kwargs[key])
        self._config = dict(kwargs, learning_rate=learning_rate, name=self.name)
        self.built = False
        self._steps = None

    def _kept(self, rate):
        if _unk(rate) or isinstance(rate, (Rate, Tensor)):
            return rate
        if callable(rate):
            return rate
        return Rate(rate)

    @property
    def learning_rate(self):
        rate = self._learning_rate
        if not _unk(rate) and callable(rate):
            return Rate(rate_of(rate))
        return rate

    @learning_rate.setter
    def learning_rate(self, value):
        self._learning_rate = self._kept(value)

    @property
    def lr(self):
        return self.learning_rate

    @lr.setter
    def lr(self, value):
        self._learning_rate = self._kept(value)

    @property
    def iterations(self):
        if self._steps is None:
            self._steps = _x.Variable(0, dtype="int64", trainable=False, name="iterations")
        return self._steps

    @iterations.setter
    def iterations(self, value):
        self._steps = value

    @property
    def variables(self):
        return _Variables()

    def weights(self):
        return []

    def get_weights(self):
        return []

    def set_weights(self, weights):
        pass

    def build(self, var_list=None):
        self.built = True

    # -- the records

    def _name_of_kind(self):
        return self._kind or type(self).__name__.removesuffix("Optimizer") or "SGD"

    def _record(self):
        fields = {}
        for name in ("weight_decay", "clipnorm", "clipvalue", "global_clipnorm") + self._facts:
            value = getattr(self, name, None)
            if value is not None and not _unk(value) and isinstance(value, (int, float)):
                fields[name] = value
        rate = rate_of(self._learning_rate)
        if rate is not None:
            fields["lr"] = rate
        _t.record("optimizer", name=self._name_of_kind(), **fields)
        steps = self.gradient_accumulation_steps
        if steps is not None and not _unk(steps):
            _t.record("accumulation", steps=steps)

    def _train(self, loss, variables):
        """One step on a loss: the gradients of the variables, and their update."""
        h = _x.handle(loss)
        if _t.shape(h):
            h = _t.op("tw.reduce", [h], {"kind": "sum"})
        self._record()
        _t.record("backward", value=h, parameters=[v._h for v in variables])
        _t.record("step", name=self._name_of_kind())

    def apply_gradients(self, grads_and_vars, name=None, skip_gradients_aggregation=False,
                        experimental_aggregate_gradients=True, **kwargs):
        trained = []
        if not _unk(grads_and_vars):
            for pair in list(grads_and_vars):
                if not _unk(pair):
                    state.pending.pop(id(pair[1]), None)
                    trained.append(pair[1])
        record_model_of(trained)
        self._record()
        _t.record("step", name=self._name_of_kind())
        return self._steps

    def apply(self, grads, trainable_variables=None):
        return self.apply_gradients(zip(grads, trainable_variables)
                                    if trainable_variables is not None else [])

    def stateless_apply(self, optimizer_variables, grads, trainable_variables):
        if not _unk(trainable_variables):
            record_model_of([v for v in trainable_variables if isinstance(v, _x.Variable)])
        self._record()
        _t.record("step", name=self._name_of_kind())
        return trainable_variables, optimizer_variables

    def minimize(self, loss, var_list=None, grad_loss=None, name=None, tape=None,
                 global_step=None, **ignored):
        if callable(loss) and not isinstance(loss, Tensor):
            loss = loss()
        if callable(var_list):
            var_list = var_list()
        if _unk(loss):
            _t.note("the loss is not known: " + _t.reason(loss))
            return None
        if var_list is None:
            var_list = [v for v in state.variables if v._trainable]
        flat = []
        for v in var_list:
            flat.extend(v if isinstance(v, (list, tuple)) else [v])
        record_model_of(flat)
        self._train(loss, flat)
        return self._steps

    def compute_gradients(self, loss, var_list=None, grad_loss=None, tape=None, **ignored):
        if callable(loss) and not isinstance(loss, Tensor):
            loss = loss()
        if callable(var_list):
            var_list = var_list()
        if _unk(loss):
            _t.note("the loss is not known: " + _t.reason(loss))
        else:
            _t.record("backward", value=_x.handle(loss), parameters=[v._h for v in var_list])
        return [(_x.Gradient(v._h), v) for v in var_list]

    def get_gradients(self, loss, params):
        return [g for g, _ in self.compute_gradients(loss, params)]

    def _compute_gradients(self, loss, var_list=None, grad_loss=None, tape=None):
        return self.compute_gradients(loss, var_list)

    def aggregate_gradients(self, grads_and_vars):
        return grads_and_vars

    def exclude_from_weight_decay(self, var_list=None, var_names=None):
        pass

    def finalize_variable_values(self, var_list=None):
        pass

    def update_step(self, *args, **kwargs):
        pass

    def scale_loss(self, loss):
        return loss

    get_scaled_loss = scale_loss

    def get_unscaled_gradients(self, grads):
        return grads

    def add_variable(self, *args, **kwargs):
        return None

    add_variable_from_reference = add_slot = add_weight = add_variable

    # Numbers by name, as optimizers of TensorFlow 2.10 and before keep them.

    def _set_hyper(self, name, value):
        setattr(self, "learning_rate" if name == "lr" else name, value)

    def _get_hyper(self, name, dtype=None):
        return getattr(self, name)

    _serialize_hyperparameter = _get_hyper

    def _decayed_lr(self, var_dtype=None):
        return self.learning_rate

    def get_slot(self, var, name):
        return var

    def assign(self, variable, value):
        pass

    def get_config(self):
        config = dict(self._config)
        rate = self._learning_rate
        config["learning_rate"] = rate.value_now if isinstance(rate, Rate) else rate
        return config

    @classmethod
    def from_config(cls, config, custom_objects=None):
        return cls(**config)


class _Variables(list):
    """A list that also may be called, as older versions have it."""

    def __call__(self):
        return []


def train(optimizer, loss, variables):
    """One step with an optimizer of any kind."""
    if not _unk(optimizer) and hasattr(optimizer, "_train"):
        return optimizer._train(loss, variables)
    _t.record("backward", value=_x.handle(loss), parameters=[v._h for v in variables])
    if _unk(optimizer) or optimizer is None:
        why = "" if optimizer is None else ": " + _t.reason(optimizer)
        _t.note("the optimizer is not known" + why)
        return _t.record("step", name="unknown")
    return optimizer.apply_gradients([(_x.Gradient(v._h), v) for v in variables])
