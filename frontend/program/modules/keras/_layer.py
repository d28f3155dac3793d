"""Layers: their building and their call."""

import _python
import _tilewise as _t
from keras import _node, _policy, distribution
from keras._facade import Facade
from keras._info import Info, InputSpec, auto_name, mask_of, names_of, shape_of, snake
from keras._weights import Weights
from tensorflow import _tensor as _x
from tensorflow._public import holds_keras_tensor, state

Tensor, Variable = _x.Tensor, _x.Variable
_unk = _t.is_unknown
_INFO = {}       # of a class: what its call takes
masks = [False]  # some layer made a mask


class Layer(Weights, Facade):
    name = None
    built = False
    supports_masking = False
    activity_regularizer = None
    stateful = False
    input_spec = None
    autocast = True
    _batch_input_shape = None
    _updates = ()
    _autocast = None
    _policy = None
    _is_layer = True

    def __new__(cls, *args, **kwargs):
        made = object.__new__(cls)
        made._made = (args, kwargs)
        made._place = _python.place()
        return made

    def __init_subclass__(cls, **kwargs):
        build = cls.__dict__.get("build")
        if build is not None:
            cls.build = _marking(build)

    def __init__(self, *, activity_regularizer=None, trainable=True, dtype=None, autocast=True,
                 name=None, **kwargs):
        if name is not None:
            self.name = name
        elif self.name is None:
            self.name = auto_name(snake(type(self).__name__))
        self._policy = policy = _policy.policy_of(dtype)
        self._autocast = policy.autocast
        if trainable is not True:
            self._trainable = trainable
        loop = _t.open_loop()
        if loop is not None:
            _t.note("the count is a lower bound: layers are made in a loop whose length is not "
                    "known: " + loop)
        if activity_regularizer is not None:
            from keras import regularizers
            self.activity_regularizer = regularizers.get(activity_regularizer)
        if kwargs:
            self._take(kwargs)

    def _take(self, kwargs):
        """Arguments of older versions, and the shape of the input."""
        shape = kwargs.pop("batch_input_shape", kwargs.pop("batch_shape", None))
        if shape is None and kwargs.get("input_shape") is not None:
            given = kwargs.pop("input_shape")
            if _unk(given):
                return
            shape = (kwargs.pop("batch_size", None),) + tuple(
                (given,) if isinstance(given, int) else given)
        if shape is None and kwargs.get("input_dim") is not None:
            length = kwargs.get("input_length")
            shape = (kwargs.pop("batch_size", None),) + \
                (() if length is None else (length,)) + (kwargs.pop("input_dim"),)
        if shape is not None:
            self._batch_input_shape = tuple(shape)

    # -- the call

    def __call__(self, *args, **kwargs):
        if state.keras_tensors and holds_keras_tensor(args, kwargs):
            return _node.call(self, args, kwargs)
        return self._run(args, kwargs)

    def call(self, *args, **kwargs):
        """What tf.keras does where a layer has no call(): it hands on what it is given."""
        return args[0] if args else kwargs.get("inputs")

    def _run(self, args, kwargs):
        info = _INFO.get(type(self))
        if info is None:
            info = _INFO[type(self)] = Info(type(self), Layer)
        if self._policy is None:
            self._policy = _policy.get()
            self._autocast = self._policy.autocast
        if not args and info.names and info.names[0] in kwargs:
            args = (kwargs.pop(info.names[0]),)
        first = None
        if args:
            first = args[0]
            if _unk(first):
                return self._run_unknown(args, kwargs)
            entered = self._entered(first, self._policy.compute)
            if entered is not first:
                first = entered
                args = (first,) + args[1:]
        outer = state.training
        training = self._training_of(info, args, kwargs, outer)
        if masks[0]:
            self._give_masks(info, args, kwargs)
        before, cast, inside = state.scope, state.autocast, state.inside
        state.scope = before + self._scope_name()
        _t.scope(state.scope[:-1])
        state.autocast = self._autocast
        state.training = training
        try:
            if not self.built:
                state.inside = 0
                self._build_by(info, args, kwargs)
            state.inside = inside + 1
            out = self.call(*args, **kwargs)
            if self.activity_regularizer is not None:
                for t in _node.flat(out):
                    self.add_loss(self.activity_regularizer(t))
        finally:
            state.scope, state.autocast, state.inside = before, cast, inside
            state.training = outer
            _t.scope(before[:-1])
        if info.makes_mask or masks[0]:
            self._keep_mask(info, first, out)
        return out

    def _scope_name(self):
        if self.name is None:
            self.name = auto_name(snake(type(self).__name__))
        return self.name + "/" if isinstance(self.name, str) else "layer/"

    def _run_unknown(self, args, kwargs):
        return args[0]

    def _training_of(self, info, args, kwargs, outer):
        """Whether this call trains; `call` is told where it asks."""
        place = info.training
        if place < 0:
            if "training" in kwargs and not info.any_name:
                given = kwargs.pop("training")
                return outer if given is None else given
            given = kwargs.get("training")
            return outer if given is None else given
        if len(args) > place:
            given = args[place]
        else:
            given = kwargs.get("training")
            if given is None:
                given = outer
                if given is None:
                    given = info.defaults.get("training")
                if given is None and "training" not in info.defaults:
                    kwargs["training"] = False
                if given is not None:
                    kwargs["training"] = given
        if isinstance(given, Tensor):
            given = _x.number_of(given)
            if given is None:
                given = True
            if "training" in kwargs:
                kwargs["training"] = bool(given)
        return given

    def _entered(self, value, code):
        """What the first argument holds, as tensors of the type that the layer computes in."""
        if isinstance(value, Tensor):
            if value._is_variable:
                return value
            h = value._h
            own = _t.dtype(h)
            if own != code and own in _x.FLOATS and code in _x.FLOATS and self.autocast:
                made = _x.wrap(_t.op("tw.convert", [h], {"dtype": code}))
                if value._keras_mask is not None:
                    made._keras_mask = value._keras_mask
                return made
            return value
        if isinstance(value, (list, tuple)):
            if not value or isinstance(value[0], (str, bytes)):
                return value
            if isinstance(value[0], (int, float)):
                return _x.wrap(_x.handle(value))
            items = [v if _unk(v) else self._entered(v, code) for v in value]
            for a, b in zip(items, value):
                if a is not b:
                    return items if isinstance(value, list) else \
                        type(value)(*items) if hasattr(value, "_fields") else tuple(items)
            return value
        if isinstance(value, dict):
            return {k: v if _unk(v) else self._entered(v, code) for k, v in value.items()}
        if hasattr(value, "_values") or isinstance(value, (int, float)) and \
                not isinstance(value, bool) or hasattr(value, "__array__"):
            return self._entered(_x.wrap(_x.handle(value)), code)
        return value

    # -- masks

    def _give_masks(self, info, args, kwargs):
        if info.mask and kwargs.get("mask") is None and args and len(args) <= \
                info.names.index("mask"):
            mask = mask_of(args[0])
            if mask is not None:
                kwargs["mask"] = mask
        for place, of in info.masks:
            name = of + "_mask"
            if len(args) > place or kwargs.get(name) is not None:
                continue
            at = info.names.index(of)
            value = args[at] if len(args) > at else kwargs.get(of)
            mask = None if value is None else mask_of(value)
            if mask is not None:
                kwargs[name] = mask

    def _keep_mask(self, info, first, out):
        if info.makes_mask:
            mask = self.compute_mask(first, None if first is None else mask_of(first))
        elif not self.supports_masking or first is None:
            return
        else:
            mask = mask_of(first)
        if mask is None or _unk(mask):
            return
        if isinstance(out, Tensor):
            if isinstance(mask, Tensor):
                masks[0] = True
                out._keras_mask = mask
        elif isinstance(out, (list, tuple)):
            kept = mask if isinstance(mask, (list, tuple)) else [mask]
            for t, m in zip(out, kept):
                if isinstance(t, Tensor) and m is not None:
                    masks[0] = True
                    t._keras_mask = m

    def compute_mask(self, inputs, mask=None, previous_mask=None):
        return mask if self.supports_masking else None

    # -- building

    def build(self, input_shape=None):
        self.built = True

    def _build_by(self, info, args, kwargs):
        """Builds by the shapes of the arguments of a call."""
        if info.builds and args:
            names, any_name, defaults = names_of(type(self).build)
            needed = [n for n in names if n not in defaults]
            if len(names) > 1 and all(n.endswith("_shape") for n in needed or names):
                given = {}
                for i, name in enumerate(info.names):
                    value = args[i] if i < len(args) else kwargs.get(name)
                    if name + "_shape" in names and value is not None:
                        given[name + "_shape"] = shape_of(value)
                self.build(**given)
            elif names or any_name:
                self.build(shape_of(args[0]))
            else:
                self.build()
        elif info.builds:
            self.build(None)
        self.built = True

    def add_weight(self, *args, **kwargs):
        if args and (args[0] is None or isinstance(args[0], str)):
            # Keras 2 has the name first.
            names = ("name", "shape", "dtype", "initializer", "regularizer", "trainable")
            kwargs.update(zip(names, args))
            return self._weight(**kwargs)
        return self._weight(*args, **kwargs)

    def _weight(self, shape=None, initializer=None, dtype=None, trainable=True,
                regularizer=None, constraint=None, name=None, autocast=True, **ignored):
        code = self.variable_code if dtype is None else _x.as_dtype(dtype).code
        sizes = self._sizes(shape, name)
        v = Tensor.__new__(Variable)
        v._trainable = trainable is not False and trainable is not None
        v.name = state.scope + (name or "variable") + ":0"
        v.constraint, v.regularizer, v.initializer = constraint, regularizer, initializer
        v._create(sizes, code, None)
        distribution.split_weight(v)
        state.variables.append(v)
        if state.on_variable is not None:
            state.on_variable(v, None)
        if self._own is None:
            self._own = []
        self._own.append(v)
        if regularizer is not None:
            from keras import regularizers
            self._regularizers = self._regularizers + ((v, regularizers.get(regularizer)),)
        return v

    add_variable = add_weight

    def _sizes(self, shape, name):
        if shape is None:
            return []
        if isinstance(shape, int):
            return [shape]
        sizes = []
        for d in shape:
            d = getattr(d, "value", d)
            if isinstance(d, Tensor):
                d = _x.number_of(d)
            if d is None or _unk(d):
                why = ": " + _t.reason(d) if _unk(d) else ""
                _t.note("the count is a lower bound: a size of weight " + str(name) +
                        " of layer " + str(self.name) + " is not known and taken as 1" + why)
                d = 1
            sizes.append(int(d))
        return sizes

    @property
    def variable_code(self):
        if self._policy is None:
            self._policy = _policy.get()
        code = self._policy.variable
        return code if code in _x.FLOATS else "f32"


def _marking(build):
    """`build` of a class: the layer is built after it, and its weights have the layer's name."""
    def marked(self, *args, **kwargs):
        before = state.scope
        name = self._scope_name()
        if not before.endswith(name):
            state.scope = before + name
            _t.scope(state.scope[:-1])
        try:
            build(self, *args, **kwargs)
        finally:
            state.scope = before
            _t.scope(before[:-1])
        self.built = True
    marked.__wrapped__ = build
    return marked
