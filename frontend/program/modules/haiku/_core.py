"""Haiku's frames: which module runs, its names, parameters and state."""

from typing import Any, NamedTuple

import _tilewise as _t
from jax import _core as _c
from jax import _models
from jax import _standins
from jax import _tree
from jax import _transforms as _tr
from jax._core import Array, Key

FRAMES = []
LOADED = {}
POLICIES = {}  # of mixed precision, by the class of module; parts have that of what holds them
ACTIVE = []


class Frame:
    def __init__(self, params, state, making, levels):
        self.params = params
        self.state = state
        self.making = making
        self.levels = levels
        self.stack = []
        self.counters = [{}]
        self.lifts = []


class Entry:
    def __init__(self, module, method):
        self.module = module
        self.method = method


def frame():
    if not FRAMES:
        raise ValueError("haiku modules and parameters need hk.transform")
    return FRAMES[-1]


def snake(name):
    out = ""
    n = len(name)
    for i, c in enumerate(name):
        if c.isupper() and i:
            before = name[i - 1]
            after = name[i + 1] if i + 1 < n else ""
            if before.islower() or before.isdigit() or before != "_" and after.islower():
                out += "_"
        out += c.lower()
    return out


def _prefix(entry):
    m = entry.module.module_name
    if entry.method == "__call__":
        return m + "/"
    if entry.method == "__init__":
        return m + "/~/"
    return m + "/~" + entry.method + "/"


def unique_name(name, own=None):
    """The name of a new module within the method that runs."""
    f = frame()
    at = len(f.stack) - 1
    while at >= 0 and f.stack[at].module is own:
        at -= 1
    prefix = _prefix(f.stack[at]) if at >= 0 else ""
    counter = f.counters[at + 1]
    n = counter.get(name, 0)
    counter[name] = n + 1
    return prefix + (name if n == 0 else name + "_" + str(n))


_FUNCTION = type(unique_name)
_PLAIN = {"__setattr__", "__getattr__", "__repr__", "__init_subclass__", "__hash__", "__eq__",
          "__new__", "__post_init__", "__getattribute__", "__str__", "__class_getitem__"}


def _wrapped(fun, name):
    def method(self, *args, **kw):
        if not FRAMES:
            if name == "__init__":
                # A module that is made outside of transform: made again within.
                self.__dict__["_deferred"] = (args, kw)
                return None
            if "_deferred" in self.__dict__:
                frame()
            return fun(self, *args, **kw)
        f = FRAMES[-1]
        if f.stack and f.stack[-1].module is self and name != "__call__":
            return fun(self, *args, **kw)
        f.stack.append(Entry(self, name))
        f.counters.append({})
        before = None
        if name != "__init__":
            before = _t.scope(self.module_name.replace("/~/", "/"))
        policy = POLICIES.get(type(self)) if POLICIES else None
        if policy is not None:
            ACTIVE.append(policy)
            args, kw = policy.cast_to_compute((args, kw))
        try:
            made = fun(self, *args, **kw)
            return made if policy is None else policy.cast_to_output(made)
        finally:
            if policy is not None:
                ACTIVE.pop()
            if before is not None:
                _t.scope(before)
            f.stack.pop()
            f.counters.pop()
    method.__name__ = name
    method.__wrapped__ = fun
    method._done = True
    return method


def transparent(fun):
    fun._done = True
    return fun


class Module:
    def __init_subclass__(cls, **kw):
        for name in list(cls.__dict__):
            if name in _PLAIN:
                continue
            fun = cls.__dict__[name]
            if isinstance(fun, _FUNCTION) and not getattr(fun, "_done", False):
                if name[:2] == "__" and name not in ("__init__", "__call__"):
                    continue
                setattr(cls, name, _wrapped(fun, name))
            elif isinstance(fun, property) and fun.fget is not None:
                setattr(cls, name, property(_wrapped(fun.fget, name), fun.fset))

    def __init__(self, name=None):
        if not FRAMES:
            self.__dict__["_deferred"] = ((), {"name": name})
            return
        given = name or getattr(type(self), "_given_name", None) or snake(type(self).__name__)
        self.module_name = unique_name(given, self)
        self.name = self.module_name.rsplit("/", 1)[-1]

    def __getattr__(self, attribute):
        if attribute in ("module_name", "name"):
            Module.__init__(self, self.__dict__.get("name"))
            return self.__dict__[attribute]
        raise AttributeError(type(self).__name__ + " has no attribute " + repr(attribute))

    def __post_init__(self, *args, **kw):
        if "module_name" not in self.__dict__:
            Module.__init__(self)

    def params_dict(self):
        p = frame().params
        own = self.module_name
        return {m + "/" + k: p[m][k] for m in p for k in p[m]
                if m == own or m.startswith(own + "/")}

    def state_dict(self):
        return {}


def current_name():
    f = frame()
    return f.stack[-1].module.module_name if f.stack else "~"


def _weight(f, collection, name, shape, dtype, trainable):
    path = current_name().replace("/", ".") + "." + name
    shape = list(_t.sizes(shape))
    wide = [n for n, _ in f.lifts] + shape
    return _tr.make_weight(wide, dtype, path, trainable, f.levels)


def _part(f, x):
    for _, i in f.lifts:
        x = x[i[0]]
    return x


def get_parameter(name, shape, dtype=None, init=None):
    if not ACTIVE:
        return _parameter(name, shape, dtype)
    return ACTIVE[-1].cast_to_compute(_parameter(name, shape, ACTIVE[-1].param_dtype))


def _parameter(name, shape, dtype):
    f = frame()
    own = current_name()
    p = f.params
    d = _c.dtype(dtype)
    if _t.is_unknown(p) or _t.is_unknown(p.get(own) if not f.making else None):
        key = (own, name)
        if key not in LOADED:
            LOADED[key] = _weight(f, "params", name, shape, d, True)
        return _part(f, LOADED[key])
    if own not in p:
        if not f.making:
            raise ValueError("no parameters of module " + repr(own))
        p[own] = {}
    if name not in p[own]:
        if not f.making:
            raise ValueError("no parameter " + repr(name) + " of module " + repr(own))
        p[own][name] = _weight(f, "params", name, shape, d, True)
    return _part(f, p[own][name])


def get_state(name, shape=None, dtype=None, init=None):
    if not ACTIVE:
        return _state(name, shape, dtype, init)
    return ACTIVE[-1].cast_to_compute(_state(name, shape, dtype, init))


def _state(name, shape, dtype, init):
    f = frame()
    own = current_name()
    s = f.state
    if _t.is_unknown(s):
        return _c.full(0, tuple(shape or ()), _c.dtype(dtype))
    if own not in s:
        s[own] = {}
    if name not in s[own]:
        s[own][name] = _weight(f, "state", name, shape or (), _c.dtype(dtype), False)
    return _part(f, s[own][name])


def set_state(name, value):
    f = frame()
    own = current_name()
    if _t.is_unknown(f.state) or f.lifts:
        return
    if own not in f.state:
        f.state[own] = {}
    f.state[own][name] = value


def next_rng_key():
    return Key((), frame().levels)


def next_rng_keys(n):
    return Key((n,), frame().levels)


def maybe_next_rng_key():
    return Key(()) if FRAMES else None


class PRNGSequence:
    def __init__(self, key_or_seed=0):
        pass

    def __iter__(self):
        return self

    def __next__(self):
        return Key(())

    def next(self):
        return Key(())

    def take(self, n):
        return tuple(Key(()) for _ in range(n))

    def reserve(self, n):
        return None


class Transformed(NamedTuple):
    init: Any
    apply: Any


class TransformedWithState(NamedTuple):
    init: Any
    apply: Any


class MultiTransformed(NamedTuple):
    init: Any
    apply: Any


def _copied(d):
    if d is None:
        return {}
    if _t.is_unknown(d):
        return d
    return {m: dict(d[m]) if hasattr(d[m], "items") else d[m] for m in d}


def _run(fun, f, args, kw):
    FRAMES.append(f)
    before = _t.scope("")
    try:
        return fun(*args, **kw)
    finally:
        _t.scope(before)
        FRAMES.pop()


def _init(fun, rng, args, kw):
    f = Frame({}, {}, True, getattr(rng, "_b", ()))
    args = _tree.map(_tr._from_struct, args)
    _t.record("init_begin")
    try:
        _run(fun, f, args, kw)
    finally:
        _t.record("init_end")
    _standins.initialised(fun, args, kw)
    if not _tr.ABSTRACT[0]:
        buffers = [x for x in _tree.leaves(f.state) if isinstance(x, Array) and _c.is_weight(x)]
        _models.note(getattr(fun, "__name__", "haiku"), _tree.leaves(f.params), buffers)
        _models.made(f.params)
    return f


def transform(f, *, apply_rng=True):
    fun = f

    def init(rng, *args, **kw):
        return _init(fun, rng, args, kw).params

    def apply(params, rng=None, *args, **kw):
        args, kw = _standins.inputs_of(fun, args, kw)
        return _run(fun, Frame(_copied(params), {}, False, ()), args, kw)
    return Transformed(init, apply)


def transform_with_state(f):
    fun = f

    def init(rng, *args, **kw):
        r = _init(fun, rng, args, kw)
        return r.params, r.state

    def apply(params, state, rng=None, *args, **kw):
        args, kw = _standins.inputs_of(fun, args, kw)
        r = Frame(_copied(params), _copied(state), False, ())
        out = _run(fun, r, args, kw)
        return out, r.state
    return TransformedWithState(init, apply)


def without_apply_rng(f):
    if isinstance(f, TransformedWithState):
        def apply_with_state(params, state, *args, **kw):
            return f.apply(params, state, None, *args, **kw)
        apply_with_state._no_rng = True
        return TransformedWithState(f.init, apply_with_state)
    def apply(params, *args, **kw):
        return f.apply(params, None, *args, **kw)
    apply._no_rng = True
    return type(f)(f.init, apply)


def without_state(f):
    def init(rng, *args, **kw):
        return f.init(rng, *args, **kw)[0]

    def apply(params, rng=None, *args, **kw):
        return f.apply(params, {}, rng, *args, **kw)[0]
    return Transformed(init, apply)


def with_empty_state(f):
    def init(rng, *args, **kw):
        return f.init(rng, *args, **kw), {}

    def apply(params, state, rng=None, *args, **kw):
        return f.apply(params, rng, *args, **kw), state
    return TransformedWithState(init, apply)


def multi_transform(f):
    def init(rng, *args, **kw):
        def run(*a, **k):
            return f()[0](*a, **k)
        return _init(run, rng, args, kw).params

    def at(path):
        def apply(params, rng, *args, **kw):
            def run(*a, **k):
                g = f()[1]
                for p in path:
                    g = g[p]
                return g(*a, **k)
            return _run(run, Frame(_copied(params), {}, False, ()), args, kw)
        return apply
    FRAMES.append(Frame({}, {}, True, ()))
    try:
        tree = f()[1]
    finally:
        FRAMES.pop()
    pairs, d = _tree.flatten_with_path(tree)
    applies = []
    for path, _ in pairs:
        applies.append(at([getattr(k, "key", getattr(k, "idx", getattr(k, "name", None)))
                           for k in path]))
    return MultiTransformed(init, _tree.unflatten(d, applies))


multi_transform_with_state = multi_transform


class to_module:
    pass


def running_init():
    return frame().making


def layer_stack(num_layers, with_per_layer_inputs=False, unroll=1, pass_reverse_to_layer_fn=False,
                transparent=False, name=None, **kw):
    """Layers of one kind whose parameters are stacked."""
    def wrap(fun):
        def run(*args):
            class LayerStack(Module):
                def __call__(self, *args):
                    f = frame()
                    index = [0]
                    f.lifts.append((num_layers, index))
                    try:
                        n = 1 if f.making else num_layers
                        for i in range(n):
                            index[0] = i
                            f.counters[-1] = {}
                            out = fun(*args)
                            args = out if isinstance(out, tuple) else (out,)
                    finally:
                        f.lifts.pop()
                    return args if len(args) > 1 else args[0]
            return LayerStack(name=name or "__layer_stack_no_per_layer")(*args)
        return run
    return wrap
