"""flax.nnx: modules as plain objects that hold variables."""

import _tilewise as _t
from jax import _batch
from jax import _core as _c
from jax import _models
from jax import _replay
from jax import _tree
from jax import _transforms as _tr
from jax._core import Array, Key, as_array


class Variable:
    """A value within a module; operators and attributes are those of the value."""

    _trainable = None

    def __class_getitem__(cls, item):
        return cls

    def __init__(self, value=None, *, name=None, **metadata):
        own = self.__dict__
        if isinstance(value, VariableMetadata):
            value, metadata = value.raw_value, {**value.metadata, **metadata}
        for old in ("sharding", "sharding_names"):
            names = metadata.pop(old, None)
            if names is not None:
                metadata["out_sharding"] = names
        own["metadata"] = metadata
        own["raw"] = _weighted(value, self._trainable)

    @property
    def value(self):
        return self.__dict__["raw"]

    @value.setter
    def value(self, v):
        self.set_value(v)

    def get_value(self, **kw):
        return self.raw

    def set_value(self, v, **kw):
        # Before anything trains, what a parameter is set to is how it starts.
        if self._trainable and not _replay.GRADIENTS[0] and not _t.trained()[0]:
            before = self.__dict__.get("raw")
            if isinstance(v, Array) and isinstance(before, Array) and v.dtype != before.dtype:
                v = _tr.make_weight(v.shape, v.dtype, "", True, v._b)
            v = _weighted(v, True)
        self.__dict__["raw"] = v

    @property
    def raw_value(self):
        return self.raw

    @property
    def type(self):
        return type(self)

    def get_metadata(self, name=None, default=None):
        return self.metadata if name is None else self.metadata.get(name, default)

    def has_metadata(self, name):
        return name in self.metadata

    def copy(self):
        return self.replace(self.raw)

    def replace(self, value=..., **metadata):
        r = object.__new__(type(self))
        r.__dict__.update(self.__dict__)
        if value is not ...:
            r.__dict__["raw"] = _raw(value)
        if metadata:
            r.__dict__["metadata"] = {**self.metadata, **metadata}
        return r

    def set_metadata(self, *args, **metadata):
        if args:
            metadata = args[0] if isinstance(args[0], dict) else {args[0]: args[1]}
        self.__dict__["metadata"] = {**self.metadata, **metadata}

    def copy_from(self, other):
        self.__dict__["raw"] = other.raw

    update_from_state = copy_from

    def to_state(self):
        return self

    def __jax_array__(self):
        return as_array(self.raw)

    def __getattr__(self, name):
        if name[:2] == "__" or "raw" not in self.__dict__:
            raise AttributeError(name)
        raw = self.__dict__["raw"]
        known = self.__dict__["metadata"]
        if name in known:
            return known[name]
        if name in ("shape", "dtype", "ndim", "size") and isinstance(raw, (bool, int, float)):
            raw = as_array(raw)
        return getattr(raw, name)

    def __setattr__(self, name, v):
        if name == "value":
            self.set_value(v)
        else:
            self.__dict__[name] = v

    def __getitem__(self, i):
        if i is Ellipsis:
            return as_array(self.raw) if isinstance(self.raw, (int, float)) else self.raw
        return self.raw[i]

    def __setitem__(self, i, v):
        if i is Ellipsis:
            self.set_value(v)
        else:
            self.__dict__["raw"] = self.raw.at[i].set(v)

    def __call__(self, *args, **kw):
        return self.raw(*args, **kw)

    def __len__(self):
        return len(self.raw)

    def __iter__(self):
        return iter(self.raw)

    def __bool__(self):
        return bool(self.raw)

    def __int__(self):
        return int(self.raw)

    def __index__(self):
        return int(self.raw)

    def __float__(self):
        return float(self.raw)

    def __hash__(self):
        return id(self)

    def __add__(self, o):
        return self.raw + _raw(o)

    def __radd__(self, o):
        return _raw(o) + self.raw

    def __sub__(self, o):
        return self.raw - _raw(o)

    def __rsub__(self, o):
        return _raw(o) - self.raw

    def __mul__(self, o):
        return self.raw * _raw(o)

    def __rmul__(self, o):
        return _raw(o) * self.raw

    def __truediv__(self, o):
        return self.raw / _raw(o)

    def __rtruediv__(self, o):
        return _raw(o) / self.raw

    def __floordiv__(self, o):
        return self.raw // _raw(o)

    def __mod__(self, o):
        return self.raw % _raw(o)

    def __pow__(self, o):
        return self.raw ** _raw(o)

    def __matmul__(self, o):
        return self.raw @ _raw(o)

    def __rmatmul__(self, o):
        return _raw(o) @ self.raw

    def __neg__(self):
        return -self.raw

    def __eq__(self, o):
        return self is o or self.raw == _raw(o)

    def __lt__(self, o):
        return self.raw < _raw(o)

    def __gt__(self, o):
        return self.raw > _raw(o)

    def __le__(self, o):
        return self.raw <= _raw(o)

    def __ge__(self, o):
        return self.raw >= _raw(o)

    def __repr__(self):
        return type(self).__name__ + "(" + repr(self.raw) + ")"


def _raw(x):
    return x.raw if isinstance(x, Variable) else x


def _weighted(value, trainable):
    """An array that is made for a variable becomes a weight."""
    if trainable is None:
        return value

    def leaf(x):
        if isinstance(x, Variable):
            x = x.raw
        if not isinstance(x, Array):
            if isinstance(x, (int, float)) or not hasattr(x, "shape") or _t.is_unknown(x):
                return x
            x = as_array(x)
        if isinstance(x, Key) or _c.is_weight(x) or not _c.is_trainable(x.dtype):
            return x
        return _tr.make_weight(x.shape, x.dtype, "", trainable, x._b)
    from flax.linen._module import unbox
    return _tree.map(leaf, unbox(value))


class Param(Variable):
    _trainable = True


class BatchStat(Variable):
    _trainable = False


class Cache(Variable):
    _trainable = False


class Intermediate(Variable):
    pass


class Perturbation(Intermediate):
    pass


class RngState(Variable):
    pass


class RngKey(RngState):
    pass


class RngCount(RngState):
    pass


class LoRAParam(Param):
    pass


class OptState(Variable):
    pass


class OptVariable(OptState):
    pass


class VariableState(Variable):
    pass


class VariableMetadata:
    """A value with the metadata of the variable that will hold it."""

    def __init__(self, raw_value, metadata):
        self.raw_value = raw_value
        self.metadata = metadata


def _register(cls):
    _tree.register(cls, lambda v: ([v.raw], v), lambda v, c: v.replace(c[0]),
                   lambda kind, v, c: v.replace(c[0]), lambda v: ["value"])


_register(Variable)


class Object:
    def __hash__(self):
        return id(self)

    def __eq__(self, other):
        return self is other


class Module(Object):
    def train(self, **attributes):
        self.set_attributes(deterministic=False, use_running_average=False, **attributes)

    def eval(self, **attributes):
        self.set_attributes(deterministic=True, use_running_average=True, **attributes)

    def set_attributes(self, *filters, raise_if_not_found=True, **attributes):
        for _, m in iter_graph(self):
            if isinstance(m, Module):
                for k in attributes:
                    if k in m.__dict__:
                        m.__dict__[k] = attributes[k]

    def sow(self, variable_type, name, value, *args, **kw):
        return True

    def perturb(self, name, value, variable_type=None):
        return value

    def iter_modules(self):
        for p, m in iter_graph(self):
            if isinstance(m, Module):
                yield p, m

    def iter_children(self):
        for k, v in self.__dict__.items():
            if isinstance(v, Module):
                yield k, v

    def init(self, *args, **kw):
        return None


class RngStream(Module):
    """Keys of one name; each use gives one."""

    def __init__(self, tag, key=None):
        self.tag = tag
        self.key = RngKey(key if isinstance(key, Key) else Key(()))
        self.count = RngCount(jnp_zeros(self.key.raw.shape))

    @property
    def last(self):
        return self.key.raw

    def __call__(self, *args, **kw):
        key = self.key.raw
        if not args and not kw:
            return key
        # A stream that has the name of a distribution draws of it.
        import jax.random
        return getattr(jax.random, self.tag)(key, *args, **kw)

    def fork(self, split=None, **kw):
        return RngStream(self.tag, _split_key(self.key.raw, split))

    def split(self, k=None):
        return self.fork(split=k)

    def __getattr__(self, name):
        import jax.random
        draw = getattr(jax.random, name, None)
        if name[:1] == "_" or draw is None:
            raise AttributeError("RngStream has no attribute " + repr(name))
        return lambda *args, **kw: draw(self(), *args, **kw)


def jnp_zeros(shape):
    return _c.known(0, _c.uint32) if not shape else _c.broadcast_to(_c.known(0, _c.uint32),
                                                                    list(shape))


def _split_key(key, sizes):
    if sizes is None:
        return key
    sizes = tuple(sizes) if isinstance(sizes, (tuple, list)) else (sizes,)
    return Key(sizes + tuple(key.shape), key._b)


class Rngs(Module):
    """Streams of keys by name."""

    def __init__(self, default=None, **streams):
        if isinstance(default, dict):
            default, streams = None, {**default, **streams}
        if default is not None:
            streams["default"] = default
        for name, key in streams.items():
            if isinstance(key, RngStream):
                key = key.key.raw
            self.__dict__[name] = RngStream(name, key)

    def _stream(self, name):
        streams = self.__dict__
        if name in streams:
            return streams[name]
        # A name that the program gives no key has that of `default`.
        key = streams["default"].key.raw if "default" in streams else None
        for s in streams.values():
            key = s.key.raw if key is None else key
        return RngStream(name, key)

    def __getattr__(self, name):
        if name[:1] == "_" or name in ("names", "shape", "dtype"):
            raise AttributeError(name)
        return self._stream(name)

    def __getitem__(self, name):
        return self._stream(name)

    def __contains__(self, name):
        return name in self.__dict__

    def __iter__(self):
        return iter(list(self.__dict__))

    def __len__(self):
        return len(self.__dict__)

    def __call__(self):
        return self._stream("default")()

    def items(self):
        return list(self.__dict__.items())

    def fork(self, split=None, **kw):
        made = Rngs()
        for name, stream in self.items():
            made.__dict__[name] = stream.fork(_split_of(split, name, stream))
        return made

    def split(self, k=None):
        return self.fork(split=k)


def _split_of(split, name, stream):
    """How often the keys of a stream are split: a number for all, or one for each filter."""
    if not isinstance(split, dict):
        return split
    for f, n in split.items():
        if f == name or not isinstance(f, str) and passes(f, (name, "key"), stream.key):
            return n
    return None


Pytree = Module


def _children(x):
    """Keys and values below a node of the graph; None for a leaf."""
    if isinstance(x, Module):
        return [(k, v) for k, v in x.__dict__.items()]
    if isinstance(x, (list, tuple)):
        return list(enumerate(x))
    if isinstance(x, dict):
        return list(x.items())
    return None


def iter_graph(node):
    seen = set()
    out = []

    def walk(x, path):
        if isinstance(x, Variable):
            if id(x) not in seen:
                seen.add(id(x))
                out.append((path, x))
            return
        children = _children(x)
        if children is None:
            return
        if isinstance(x, Module):
            if id(x) in seen:
                return
            seen.add(id(x))
            out.append((path, x))
        for k, v in children:
            if v is not None and not isinstance(v, (int, float, str)):
                walk(v, path + (k,))
    walk(node, ())
    return iter(out)


def variables_of(node):
    return [(p, v) for p, v in iter_graph(node) if isinstance(v, Variable)]


# Filters.

class Not:
    def __init__(self, f):
        self.f = f


class Any:
    def __init__(self, *fs):
        self.fs = fs


class All:
    def __init__(self, *fs):
        self.fs = fs


class OfType:
    def __init__(self, kind):
        self.kind = kind


class PathContains:
    def __init__(self, key):
        self.key = key


class Everything:
    pass


class Nothing:
    pass


def passes(f, path, v):
    if f is Ellipsis or f is True or f is Everything:
        return True
    if f is None or f is False or f is Nothing:
        return False
    if isinstance(f, type):
        return isinstance(v, f)
    if isinstance(f, str):
        return v.metadata.get("tag") == f
    if isinstance(f, Not):
        return not passes(f.f, path, v)
    if isinstance(f, OfType):
        return isinstance(v, f.kind)
    if isinstance(f, PathContains):
        return f.key in path
    if isinstance(f, All):
        for g in f.fs:
            if not passes(g, path, v):
                return False
        return True
    if isinstance(f, Any) or isinstance(f, (tuple, list)):
        for g in f.fs if isinstance(f, Any) else f:
            if passes(g, path, v):
                return True
        return False
    return f(path, v)


class State(dict):
    """Variables by nested path; keys are also attributes."""

    def __getattr__(self, name):
        if name[:2] == "__" or name not in self:
            raise AttributeError(name)
        return self[name]

    def flat_state(self):
        return flat_of(self)

    def filter(self, *filters):
        return filter_state(self, *filters)

    def split(self, *filters):
        return split_state(self, *filters)

    @staticmethod
    def merge(*states):
        return merge_state(*states)

    def raw_mapping(self):
        return self

    def to_pure_dict(self):
        from flax.nnx import to_pure_dict
        return to_pure_dict(self)

    def replace_by_pure_dict(self, pure):
        from flax.nnx import replace_by_pure_dict
        replace_by_pure_dict(self, pure)


_tree.register(State, lambda s: ([s[k] for k in s], list(s)),
               lambda keys, c: State(zip(keys, c)), lambda kind, keys, c: State(zip(keys, c)),
               lambda s: [_tree.DictKey(k) for k in s])


def flat_of(state):
    out = []

    def walk(d, path):
        if isinstance(d, dict):
            for k in d:
                walk(d[k], path + (k,))
        else:
            out.append((path, d))
    walk(state, ())
    return out


def from_flat(pairs):
    out = State()
    for path, v in pairs:
        d = out
        for k in path[:-1]:
            if k not in d:
                d[k] = State()
            d = d[k]
        if path:
            d[path[-1]] = v
    return out


def state(node, *filters):
    pairs = variables_of(node)
    if not filters:
        return from_flat(pairs)
    parts = _parted(pairs, filters)
    return parts[0] if len(parts) == 1 else tuple(parts)


def _parted(pairs, filters):
    groups = [[] for _ in filters]
    for p, v in pairs:
        for i, f in enumerate(filters):
            if passes(f, p, v):
                groups[i].append((p, v))
                break
    return [from_flat(g) for g in groups]


def filter_state(s, *filters):
    parts = _parted(flat_of(s), filters)
    return parts[0] if len(parts) == 1 else tuple(parts)


split_state = filter_state


def merge_state(first, *others):
    pairs = flat_of(first)
    for o in others:
        pairs += flat_of(o)
    return from_flat(pairs)


class GraphDef:
    def __init__(self, node):
        self.node = node

    def apply(self, *states):
        def run(*args, **kw):
            m = merge(self, *states)
            return m(*args, **kw), (self, state(m))
        return run


def split(node, *filters):
    if not filters:
        return GraphDef(node), state(node)
    return (GraphDef(node),) + tuple(_parted(variables_of(node), filters))


def merge(graphdef, *states, copy=False):
    found = {}
    for s in states:
        for p, v in flat_of(s):
            found[p] = v
    return rebuilt(graphdef.node, lambda p, v: _put(v, found.get(p)))


def _put(v, new):
    if new is None:
        return v
    return v.replace(_raw(new)) if not isinstance(new, Variable) else new


def rebuilt(node, change):
    """A copy of the modules, whose variables are `change(path, variable)`."""
    seen = {}

    def walk(x, path):
        if isinstance(x, Variable):
            if id(x) not in seen:
                seen[id(x)] = change(path, x)
            return seen[id(x)]
        if isinstance(x, Module):
            if id(x) in seen:
                return seen[id(x)]
            r = object.__new__(type(x))
            seen[id(x)] = r
            for k, v in x.__dict__.items():
                r.__dict__[k] = walk(v, path + (k,))
            return r
        if isinstance(x, State):
            return State({k: walk(v, path + (k,)) for k, v in x.items()})
        if isinstance(x, list):
            return [walk(v, path + (i,)) for i, v in enumerate(x)]
        if isinstance(x, tuple):
            r = [walk(v, path + (i,)) for i, v in enumerate(x)]
            return type(x)(*r) if hasattr(x, "_fields") else tuple(r)
        if isinstance(x, dict):
            return {k: walk(v, path + (k,)) for k, v in x.items()}
        return x
    return walk(node, ())


def clone(node, *args, **kw):
    return rebuilt(node, lambda p, v: v)


def update(node, *states):
    own = {p: v for p, v in variables_of(node)}
    for s in states:
        for p, v in flat_of(s):
            if p in own:
                own[p].value = _raw(v)


def pop(node, *filters):
    return State()


def graphdef(node):
    return GraphDef(node)


def find_duplicates(node):
    return []


def capture(fn, *types, **kw):
    """`fn`, which gives what modules keep on the way as well; none of it is made here."""
    def run(*args, **kwargs):
        return fn(*args, **kwargs), State()
    return run


def with_vars(tree, **kw):
    """Variables in place of arrays are what they hold here."""
    return tree


def display(*args, **kw):
    return None


def name_weights(model):
    """Names by path, once a model is whole."""
    parameters, buffers = [], []
    for path, v in variables_of(model):
        x = v.raw
        if isinstance(x, Array) and not isinstance(x, Key) and _c.is_weight(x):
            _t.rename(x._h, ".".join(map(str, path)))
            (parameters if isinstance(v, Param) else buffers).append(x)
    return parameters, buffers


def note_model(model):
    if model.__dict__.get("_noted") or _tr.ABSTRACT[0]:
        return
    parameters, buffers = name_weights(model)
    _models.note(type(model).__name__, parameters, buffers)
    model.__dict__["_noted"] = True


# Transformations.

class DiffState:
    def __init__(self, argnum, filter):
        self.argnum = argnum
        self.filter = filter


class StateAxes(dict):
    def __init__(self, axes):
        super().__init__(axes)


class Carry:
    pass


def _plain_weights(model, kind):
    """Arrays of modules that are no variables, where a function says that they are trained."""
    if isinstance(kind, type) or not callable(kind):
        return []
    found = []
    for path, m in iter_graph(model):
        for name, v in _children(m) or () if isinstance(m, Module) else ():
            if isinstance(v, Array) and not isinstance(v, Key) and kind(path + (name,), v):
                found.append(_tr._leaf_weight(v, tuple(_tree.DictKey(k) for k in path + (name,)),
                                              False))
    return found


def value_and_grad(f=None, *, argnums=0, has_aux=False, **kw):
    if f is None:
        return lambda g: value_and_grad(g, argnums=argnums, has_aux=has_aux)

    def run(*args, **kwargs):
        many = isinstance(argnums, (tuple, list))
        places = list(argnums) if many else [argnums]
        watched, answers, spots = [], [], []
        for p in places:
            kind = Param
            if isinstance(p, DiffState):
                kind, p = p.filter, p.argnum
            spots.append(p)
            a = args[p]
            if isinstance(a, Module):
                note_model(a)
                pairs = [(q, v) for q, v in variables_of(a) if passes(kind, q, v)]
                watched += [v.raw for _, v in pairs if isinstance(v.raw, Array)]
                watched += _plain_weights(a, kind)
                answers.append(from_flat([(q, v.replace(_tree.map(_tr.gradient_of, v.raw)))
                                          for q, v in pairs]))
            else:
                leaves = [x for x in _tree.leaves(a) if isinstance(x, Array)]
                watched += leaves
                answers.append(_tree.map(_tr.gradient_of, a))
        hints, losses = len(_c.HINTS), _tr.LOSSES[0]
        _replay.GRADIENTS[0] += 1
        try:
            out = f(*args, **kwargs)
        finally:
            _replay.GRADIENTS[0] -= 1
        loss = out[0] if has_aux else out
        if _t.is_unknown(loss) and not _tr.ABSTRACT[0]:
            _t.note("a loss whose gradient is asked for is not known: " + _t.reason(loss))
        if isinstance(loss, Array):
            _tr._note_loss(loss, f, hints, losses)
            _batch.note([a for i, a in enumerate(args) if i not in spots])
            _models.trained(watched)
            _tr._flush_shardings()
            _t.record("backward", by="jax", per_core=_batch.MAPPED[0] > 0, value=loss._h,
                      parameters=[_tr._source(x)._h for x in watched if _c.is_trainable(x.dtype)])
            _tr._pending[0] = True
            _tr.BACKWARDS[0] += 1
        return out, (tuple(answers) if many else answers[0])
    return run


def grad(f=None, *, argnums=0, has_aux=False, **kw):
    if f is None:
        return lambda g: grad(g, argnums=argnums, has_aux=has_aux)
    both = value_and_grad(f, argnums=argnums, has_aux=has_aux)

    def run(*args, **kwargs):
        out, g = both(*args, **kwargs)
        return (g, out[1]) if has_aux else g
    return run


def jit(fun=None, **kw):
    if fun is None:
        return lambda f: jit(f, **kw)

    def run(*args, **kwargs):
        key, given = None, (args, kwargs)
        if _depth[0] == 0 and not _tr.ABSTRACT[0] and not _replay.GRADIENTS[0]:
            key = _replay.key_of(fun, args, kwargs)
            found = _replay.again(key)
            if found is not None:
                return found[0]
        args = [_host_parts(a) for a in args]
        if _depth[0] == 0:
            _batch.CALLED[0] = args
        counts = (_tr.BACKWARDS[0], _tr.UPDATES[0])
        _depth[0] += 1
        try:
            out = fun(*args, **kwargs)
        finally:
            _depth[0] -= 1
        if key is not None and counts == (_tr.BACKWARDS[0], _tr.UPDATES[0]):
            _replay.keep(key, fun, given, out)
        return out
    made = _tr._copy_names(run, fun)
    made.jitted_fn, made._cache_size = made, lambda: 1
    return made


_depth = [0]


def _host_parts(x):
    """Arrays of numpy among the arguments become arrays of JAX; modules stay what they are."""
    if isinstance(x, (Module, Variable, Array, int, float, str)) or x is None:
        return x
    if isinstance(x, (tuple, list, dict)) and not isinstance(x, State):
        if isinstance(x, dict):
            return {k: _host_parts(v) for k, v in x.items()} if type(x) is dict else x
        return type(x)([_host_parts(v) for v in x]) if type(x) in (tuple, list) else x
    return _tr.on_device(x) if hasattr(x, "dtype") and hasattr(x, "shape") else x


def pmap(fun=None, **kw):
    return jit(fun, **kw)


def shard_map(fun=None, **kw):
    return jit(fun)


def remat(fun=None, **kw):
    if fun is None:
        return lambda f: remat(f, **kw)
    return _tr.checkpoint(fun, policy=kw.get("policy"))


checkpoint = remat


def cached_partial(f, *args):
    import functools
    made = functools.partial(f, *args)
    made.jitted_fn = f
    return made


def split_rngs(*args, splits=None, only=..., **kw):
    """Splits the keys of what it is given; as a decorator, for the time of the call."""
    if not args or callable(args[0]) and not isinstance(args[0], Module):
        def wrap(f):
            def run(*a, **k):
                before = _split_keys((a, k), splits, only)
                try:
                    return f(*a, **k)
                finally:
                    _restore(before)
            return run
        return wrap(args[0]) if args else wrap
    return Restored(_split_keys(args, splits, only))


def _split_keys(node, splits, only):
    before = []
    for path, v in variables_of(node):
        if isinstance(v, RngState) and splits is not None and passes(only, path, v):
            before.append((v, v.raw))
            if isinstance(v, RngKey):
                v.__dict__["raw"] = _split_key(v.raw, splits)
            else:
                v.__dict__["raw"] = jnp_zeros(_split_key(Key(v.raw.shape), splits).shape)
    return before


def _restore(before):
    for v, raw in before:
        v.__dict__["raw"] = raw


class Restored(tuple):
    """What the keys were; `with` puts them back."""

    def __enter__(self):
        return self

    def __exit__(self, *args):
        _restore(self)


def restore_rngs(before):
    _restore(before)


def fork_rngs(*args, split=None, **kw):
    return split_rngs(*args, splits=split, **kw)


def _wide(x):
    return isinstance(x, Module)


def _axis_for(axes, path, v):
    if isinstance(axes, StateAxes):
        for f in axes:
            if passes(f, path, v):
                a = axes[f]
                return a if isinstance(a, int) else None
        return None
    return axes


def vmap(f=None, *, in_axes=0, out_axes=0, axis_name=None, axis_size=None,
         transform_metadata=None, **kw):
    if f is None:
        return lambda g: vmap(g, in_axes=in_axes, out_axes=out_axes, axis_name=axis_name,
                              axis_size=axis_size)

    def run(*args, **kwargs):
        axes = in_axes if isinstance(in_axes, (tuple, list)) else [in_axes] * len(args)
        size = axis_size
        for a, axis in zip(args, axes):
            if axis is None:
                continue
            for p, x in _leaves(a):
                place = _axis_for(axis, p, x) if isinstance(x, Variable) else axis
                v = _raw(x)
                if isinstance(place, int) and hasattr(v, "shape") and v.shape:
                    size = v.shape[place]
                    break
            if size is not None:
                break
        if size is None:
            return _t.unknown("a mapped function without a size of its axis")
        level = _tr.new_level(size, axis_name)
        new = []
        for a, axis in zip(args, axes):
            if axis is None:
                new.append(a)
            elif _wide(a):
                new.append(rebuilt(a, lambda p, v: _pushed(v, _axis_for(axis, p, v), level)))
            else:
                new.append(_tree.map(lambda x: _tr._push(x, axis, level), a))
        try:
            out = f(*new, **kwargs)
        finally:
            _tr.end_level(axis_name)
        for a, b, axis in zip(args, new, axes):
            if _wide(a) and axis is not None:
                _returned(a, b, axis, level, size)
        if isinstance(out, tuple):
            places = out_axes if isinstance(out_axes, (tuple, list)) else [out_axes] * len(out)
            return tuple(_out(o, p, level, size) for o, p in zip(out, places))
        return _out(out, out_axes, level, size)
    return run


def _leaves(a):
    if isinstance(a, Module):
        return variables_of(a)
    return [((), x) for x in _tree.leaves(a)]


def _pushed(v, axis, level):
    if axis is None or not isinstance(v.raw, Array) or not v.raw.shape:
        return v
    return v.replace(_tr._push(v.raw, axis, level))


def _returned(a, b, axis, level, size):
    return None


def _out(o, axis, level, size):
    if isinstance(o, Module):
        return rebuilt(o, lambda p, v: _popped(v, _axis_for(axis, p, v), level, size))
    if axis is None:
        return o
    return _tree.map(lambda x: _tr._pop(x, axis, level, size), o)


def _popped(v, axis, level, size):
    x = v.raw
    if axis is None or not isinstance(x, Array):
        return v
    if not isinstance(x, Key) and level not in x._b and v._trainable is not None:
        return v.replace(_tr.make_weight([size] + list(x.shape), x.dtype, "", v._trainable))
    return v.replace(_tr._pop(x, axis, level, size))


def _carried(axis):
    return axis is Carry or isinstance(axis, Carry)


def scan(f=None, *, length=None, reverse=False, unroll=1, in_axes=None, out_axes=None, **kw):
    if f is None:
        return lambda g: scan(g, length=length, reverse=reverse, in_axes=in_axes,
                              out_axes=out_axes)
    from jax import lax

    def run(*args, **kwargs):
        axes = in_axes
        if axes is None:
            axes = (Carry, 0) if len(args) > 1 else (Carry,)
        axes = list(axes) if isinstance(axes, (tuple, list)) else [axes] * len(args)
        axes += [None] * (len(args) - len(axes))
        n = length
        for a, axis in zip(args, axes):
            if axis is None or _carried(axis):
                continue
            for p, x in _leaves(a):
                place = _axis_for(axis, p, x) if isinstance(x, Variable) else axis
                v = _raw(x)
                if isinstance(place, int) and hasattr(v, "shape") and v.shape:
                    n = v.shape[place]
                    break
        layers = any([_wide(a) and axis is not None and not _carried(axis)
                      for a, axis in zip(args, axes)])
        trips = n if n <= lax.UNROLL else 1
        if trips != n:
            _t.record("loop", trips=n)
            _t.note("a scan of " + str(n) + " iterations is traced as one")
        at = [i for i, x in enumerate(axes) if _carried(x)]
        carry = args[at[0]] if at else None
        rows = []
        for i in range(trips):
            new = []
            with lax.iteration(i, layers):
                for a, axis in zip(args, axes):
                    if _carried(axis):
                        new.append(carry)
                    elif axis is None:
                        new.append(a)
                    elif _wide(a):
                        new.append(rebuilt(a, lambda p, v: _sliced(v, _axis_for(axis, p, v), i)))
                    else:
                        new.append(_tree.map(lambda x: x[i], a))
                out = f(*new, **kwargs)
            if isinstance(out, tuple) and len(out) == 2 and not (out_axes is Carry):
                carry, y = out
                rows.append(y)
            else:
                carry = out
        if not rows:
            return carry
        ys = lax.stack_trees(rows) if trips == n else _tree.map(
            lambda y: _c.broadcast_to(_c.expand_dims(y, 0), [n] + list(y.shape)), rows[0])
        return carry, ys
    return run


def _sliced(v, axis, i):
    x = v.raw
    if axis is None or not isinstance(x, Array) or not x.shape:
        return v
    if axis:
        x = _c.moveaxis(x, axis, 0)
    return v.replace(x[i])


def cond(pred, true_fun, false_fun, *operands, **kw):
    from jax import lax
    return lax.cond(pred, true_fun, false_fun, *operands)


def while_loop(cond_fun, body_fun, init_val):
    from jax import lax
    return lax.while_loop(cond_fun, body_fun, init_val)


def fori_loop(lower, upper, body_fun, init_val, **kw):
    from jax import lax
    return lax.fori_loop(lower, upper, body_fun, init_val)


def switch(index, branches, *operands):
    from jax import lax
    return lax.switch(index, branches, *operands)


def eval_shape(f, *args, **kw):
    _tr.ABSTRACT[0] += 1
    try:
        out = f(*args, **kw)
    finally:
        _tr.ABSTRACT[0] -= 1
    return out


def custom_vjp(fun, **kw):
    return _tr.custom_vjp(fun)
