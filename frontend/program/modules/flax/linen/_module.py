"""Modules of flax.linen: binding, names and variables."""

import dataclasses

import _tilewise as _t
from jax import _core as _c
from jax import _models
from jax import _standins
from jax import _tree
from jax import _transforms as _tr
from jax._core import Array, Key


class _Missing:
    def __repr__(self):
        return "<missing>"


MISSING = _Missing()
STACK = []
LOADED = {}


class ScopeParamNotFoundError(KeyError):
    pass


class Root:
    """What one call of `init` or `apply` shares."""

    def __init__(self, variables, rngs, mutable, making):
        # A key that vmap maps makes weights for each of what it maps over.
        keys = list(rngs.values()) if isinstance(rngs, dict) else [rngs]
        known = [k for k in keys if not _t.is_unknown(k) and isinstance(k, Key)]
        self.levels = known[0]._b if making and known else ()
        self.variables = variables
        self.rngs = rngs
        self.mutable = mutable
        self.making = making
        self.clones = {}
        self.changed = {}

    def is_mutable(self, collection):
        m = self.mutable
        if m is True or m is False:
            return m
        if isinstance(m, str):
            return m == collection
        if hasattr(m, "deny"):
            return collection not in m.deny
        return m is not None and collection in m


class DenyList:
    def __init__(self, deny):
        self.deny = (deny,) if isinstance(deny, str) else tuple(deny)


class Lift:
    """One of the mapped or scanned dims of the variables below a module."""

    def __init__(self, axes, size, level, names):
        self.axes = axes
        self.size = size
        self.level = level
        self.index = 0
        self.names = names

    def axis_of(self, collection):
        a = self.axes.get(collection)
        return a if isinstance(a, int) else getattr(a, "axis", None)

    def widen(self, shape, collection):
        a = self.axis_of(collection)
        if a is not None:
            shape.insert(a if a >= 0 else len(shape) + 1 + a, self.size)

    def part(self, x, collection):
        a = self.axis_of(collection)
        if a is None or not isinstance(x, Array):
            return x
        if self.level is not None:
            return _tr._push(x, a, self.level)
        a = a % len(x.shape)
        if isinstance(x, Key):
            return x[0]
        if isinstance(self.index, Array):
            from jax import lax
            return lax.row_of(x, self.index, a)
        starts = [0] * len(x.shape)
        limits = list(x.shape)
        starts[a] = self.index
        limits[a] = self.index + 1
        return _c.squeeze(_c.slice_(x, starts, limits), a)


class Scope:
    def __init__(self, root, path, lifts=()):
        self.root = root
        self.path = path
        self.lifts = lifts

    def child(self, name):
        return Scope(self.root, self.path + (name,), self.lifts)

    def push(self, name=None, prefix="", reuse=False):
        return self.child(name or prefix)

    @property
    def name(self):
        return self.path[-1] if self.path else None

    def node(self, collection, make=False):
        d = self.root.variables
        if _t.is_unknown(d):
            return d
        if collection not in d:
            if not make:
                return None
            d[collection] = {}
        d = d[collection]
        for p in self.path:
            if _t.is_unknown(d):
                return d
            if d is None or p not in d:
                if not make:
                    return None
                d[p] = {}
            d = d[p]
        return d

    def get(self, collection, name):
        d = self.node(collection)
        if d is None:
            return MISSING
        if _t.is_unknown(d):
            v = LOADED.get((collection, self.path, name), MISSING)
        elif name in d:
            v = d[name]
        else:
            return MISSING
        if v is MISSING:
            return MISSING
        if self.lifts:
            for lift in self.lifts:
                v = _tree.map(lambda x: lift.part(x, collection), v)
        return v

    def has(self, collection, name):
        d = self.node(collection)
        return d is not None and not _t.is_unknown(d) and name in d

    def may_make(self, collection):
        root = self.root
        if root.making:
            return True
        d = self.node(collection)
        return d is not None and _t.is_unknown(d) or collection != "params" \
            and root.is_mutable(collection)

    def make(self, collection, name, value):
        """Makes the leaves of `value` weights and keeps them."""
        trainable = collection == "params"
        path = ".".join(self.path + (name,))

        def leaf(x):
            if isinstance(x, Key) or not isinstance(x, Array):
                if isinstance(x, (int, float)) or not hasattr(x, "shape"):
                    return x
                x = _c.as_array(x)
            shape = list(x.shape)
            for lift in self.lifts[::-1]:
                lift.widen(shape, collection)
            return _tr.make_weight(shape, x.dtype, path, trainable, self.root.levels)
        stored = _tree.map(leaf, value)
        if self.lifts:
            stored = _boxes_widened(stored, self.lifts, collection)
        d = self.node(collection, True)
        if _t.is_unknown(d):
            LOADED[(collection, self.path, name)] = stored
        else:
            d[name] = stored
        return self.get(collection, name)

    def put(self, collection, name, value):
        d = self.node(collection, True)
        if _t.is_unknown(d):
            return
        for lift in self.lifts:
            if lift.axis_of(collection) is not None:
                if name not in d:
                    d[name] = value
                return
        d[name] = value
        self.root.changed[collection] = True


def _boxes_widened(tree, lifts, collection):
    def widen(b):
        if not isinstance(b, AxisMetadata):
            return b
        for lift in lifts[::-1]:
            a = lift.axis_of(collection)
            if a is not None:
                b = b.add_axis(a, lift.names or {})
        return b
    return _tree.map(widen, tree, is_leaf=lambda v: isinstance(v, AxisMetadata))


class AxisMetadata:
    """A value with names for its dims."""

    def unbox(self):
        return self.value

    def replace_boxed(self, value):
        return type(self)(value, self.names)

    def add_axis(self, index, params):
        names = list(self.names)
        names.insert(index if index >= 0 else len(names) + 1 + index,
                     params.get("partition_name"))
        return type(self)(self.value, tuple(names))

    def remove_axis(self, index, params):
        names = list(self.names)
        del names[index]
        return type(self)(self.value, tuple(names))


class Partitioned(AxisMetadata):
    def __init__(self, value, names=(), mesh=None, rules=None):
        self.value = value
        self.names = names
        self.mesh = mesh

    def get_partition_spec(self):
        from jax.sharding import PartitionSpec
        return PartitionSpec(*self.names)

    def replace(self, **kw):
        return type(self)(kw.get("value", self.value), kw.get("names", self.names))

    def get_sharding(self, mesh):
        from jax.sharding import NamedSharding
        return NamedSharding(mesh, self.get_partition_spec())

    @property
    def shape(self):
        return self.value.shape

    @property
    def dtype(self):
        return self.value.dtype


class LogicallyPartitioned(Partitioned):
    def __init__(self, value, names=(), mesh=None, rules=None):
        self.value = value
        self.names = names
        self.mesh = mesh
        self.rules = rules

    def unbox(self, apply_constraint=True):
        return self.value


_tree.register(Partitioned, lambda b: ([b.value], (b.names, b.mesh)),
               lambda data, c: Partitioned(c[0], data[0], data[1]), None, lambda b: ["value"])
_tree.register(LogicallyPartitioned, lambda b: ([b.value], (b.names, b.mesh)),
               lambda data, c: LogicallyPartitioned(c[0], data[0], data[1]), None,
               lambda b: ["value"])


def _is_box(x):
    return isinstance(x, AxisMetadata)


def unbox(tree):
    if isinstance(tree, Array):
        return tree
    if isinstance(tree, AxisMetadata):
        return tree.unbox()
    return _tree.map(lambda b: b.unbox() if isinstance(b, AxisMetadata) else b, tree,
                     is_leaf=_is_box)


_unbox = unbox


class Variable:
    def __init__(self, scope, collection, name, boxed=False):
        self.scope = scope
        self.collection = collection
        self.name = name

    @property
    def value(self):
        return unbox(self.scope.get(self.collection, self.name))

    @value.setter
    def value(self, v):
        self.scope.put(self.collection, self.name, v)

    def is_mutable(self):
        return self.scope.root.is_mutable(self.collection)


def compact(fun):
    fun._compact = True
    return fun


def nowrap(fun):
    fun._nowrap = True
    return fun


compact_name_scope = compact
_PLAIN = {"__init__", "__new__", "__post_init__", "__setattr__", "__getattr__", "__getattribute__",
          "__hash__", "__eq__", "__repr__", "__init_subclass__", "__class_getitem__", "setup",
          "__getitem__", "__len__", "__iter__", "clone", "__delattr__", "__str__"}
_FUNCTION = type(compact)


def _wrapped(fun):
    is_compact = getattr(fun, "_compact", False)

    def method(self, *args, **kw):
        return run_method(fun, is_compact, self, args, kw)
    method.__name__ = fun.__name__
    method.__wrapped__ = fun
    method._compact = is_compact
    method._done = True
    return method


def _is_inherited(self, fun):
    """Whether it is what `super()` means by its name: its layers are counted on."""
    holders = [c for c in type(self).__mro__ if fun.__name__ in c.__dict__]
    return any([getattr(c.__dict__[fun.__name__], "__wrapped__", None) is fun
                for c in holders[1:]])


def run_method(fun, is_compact, self, args, kw):
    state = self.__dict__
    scope = state.get("scope")
    if scope is None:
        if is_compact and "_interactive" not in state:
            raise ValueError("a compact method of a module that is not bound: use apply()")
        return fun(self, *args, **kw)
    if not state["_setup_done"]:
        self._try_setup()
    STACK.append(self)
    if is_compact:
        old = state["_counts"], state["_in_compact"]
        if not old[1] or not _is_inherited(self, fun):
            state["_counts"] = {}
        state["_in_compact"] = True
    before = _t.scope("/".join(scope.path))
    try:
        return fun(self, *args, **kw)
    finally:
        _t.scope(before)
        STACK.pop()
        if is_compact:
            state["_counts"], state["_in_compact"] = old


def _has_module(v):
    if isinstance(v, Module):
        return True
    if isinstance(v, (list, tuple)):
        for x in v:
            if _has_module(x):
                return True
    elif isinstance(v, dict):
        for x in v.values():
            if _has_module(x):
                return True
    return False


class _Unset:
    pass


UNSET = _Unset()


def _default_of(cls, name):
    d = cls.__dict__
    return d[name] if name in d else MISSING


def fields_of(cls):
    """Name and default of each field, in order."""
    d = cls.__dict__
    if "_fields_" in d:
        return d["_fields_"]
    fields = {}
    for base in cls.__mro__[::-1]:
        if base is object or base is Module:
            continue
        own = base.__dict__.get("__annotations__", {})
        for name in own:
            kind = own[name]
            if name in ("parent", "name", "scope"):
                continue
            if not _t.is_unknown(kind) and (kind is dataclasses.KW_ONLY or
                                            "ClassVar" in str(kind) or "KW_ONLY" in str(kind)):
                continue
            default = base.__dict__.get(name, MISSING)
            if default is MISSING and "_dataclass_defaults" in base.__dict__:
                default = base.__dict__["_dataclass_defaults"].get(name, MISSING)
            fields[name] = default
    cls._fields_ = fields
    return fields


class ModuleBase:
    pass


def _init_of(cls):
    """The constructor of a class of modules, whose signature has the fields."""
    def __init__(self, *args, **kw):
        self._fill(args, kw)
    __init__._dataclass_fields = lambda: list(cls._field_table().values())
    return __init__


class Module(ModuleBase):
    """A module: its fields are the annotated names of its class."""

    scope = None
    name = None
    parent = None

    def __init_subclass__(cls, kw_only=False, **kw):
        fields = cls.__dict__.get("__annotations__", {})  # their defaults are no methods
        for name in list(cls.__dict__):
            if name in _PLAIN or name in fields:
                continue
            fun = cls.__dict__[name]
            if isinstance(fun, _FUNCTION) and not getattr(fun, "_done", False) \
                    and not getattr(fun, "_nowrap", False):
                if name[:2] == "__" and name != "__call__":
                    continue
                setattr(cls, name, _wrapped(fun))
        if "__init__" not in cls.__dict__:
            cls.__init__ = _init_of(cls)

    @classmethod
    def _field_table(cls):
        import dataclasses
        table = {}
        for name, default in list(fields_of(cls).items()) + [("parent", None), ("name", None)]:
            table[name] = one = dataclasses.Field(
                dataclasses.MISSING if default is MISSING else default, dataclasses.MISSING,
                True, True, None, True, None, False)
            one.name = name
        return table

    def __init__(self, *args, **kw):
        self._fill(args, kw)

    def _fill(self, args, kw):
        cls = type(self)
        fields = fields_of(cls)
        state = self.__dict__
        state["_in_setup"] = False
        state["_in_compact"] = False
        state["_setup_done"] = False
        state["_counts"] = {}
        state["scope"] = None
        state["name"] = kw.pop("name", None)
        state["parent"] = kw.pop("parent", UNSET)
        if len(args) > len(fields):
            raise TypeError(cls.__name__ + "() takes " + str(len(fields)) + " fields")
        i = 0
        for f in fields:
            if i < len(args):
                v = args[i]
            elif f in kw:
                v = kw.pop(f)
            else:
                v = fields[f]
                if v is MISSING:
                    raise TypeError(cls.__name__ + "() misses the field " + repr(f))
                if hasattr(v, "default_factory") and hasattr(v, "init"):
                    v = v.default if not callable(v.default_factory) else v.default_factory()
            i += 1
            state[f] = v
        if kw:
            raise TypeError(cls.__name__ + "() has no field " + repr(list(kw)[0]))
        self.__post_init__()

    def __post_init__(self):
        state = self.__dict__
        parent = state["parent"]
        if parent is UNSET:
            parent = STACK[-1] if STACK else None
            state["parent"] = parent
        if isinstance(parent, Scope):
            state["parent"] = None
            self._bind(parent)
        elif parent is not None and parent.__dict__.get("scope") is not None \
                and (not parent.__dict__["_in_setup"] or parent.__dict__["_in_compact"]):
            self._attach(parent, state["name"])

    def _attach(self, parent, name):
        if name is None:
            counts = parent.__dict__["_counts"]
            kind = type(self).__name__
            n = counts.get(kind, 0)
            counts[kind] = n + 1
            name = kind + "_" + str(n)
        state = self.__dict__
        state["name"] = name
        state["parent"] = parent
        self._bind(parent.scope.child(name))

    def _bind(self, scope):
        state = self.__dict__
        state["scope"] = scope
        for f in fields_of(type(self)):
            v = state.get(f)
            if v is not None and not isinstance(v, (int, float, str)) and _has_module(v):
                state[f] = self._adopt(v, f)

    def _adopt(self, v, name):
        if isinstance(v, Module):
            if v.__dict__.get("scope") is not None:
                return v
            clones = self.scope.root.clones
            if id(v) in clones:
                return clones[id(v)][1]
            c = _bare_copy(v)
            given = v.__dict__.get("name")
            c.__dict__["name"] = given or name
            c.__dict__["parent"] = self
            clones[id(v)] = (v, c)
            c._bind(self.scope.child(given or name))
            return c
        if isinstance(v, (list, tuple)):
            out = [self._adopt(x, name + "_" + str(i)) for i, x in enumerate(v)]
            if isinstance(v, list):
                return out
            return type(v)(*out) if hasattr(v, "_fields") else tuple(out)
        if isinstance(v, dict):
            return {k: self._adopt(x, name + "_" + str(k)) for k, x in v.items()}
        return v

    def _place(self, v, name):
        """Names what is assigned in setup()."""
        if isinstance(v, Module):
            if v.__dict__.get("scope") is not None:
                return v
            if v.__dict__.get("parent") is self:
                v._attach(self, v.__dict__.get("name") or name)
                return v
            return self._adopt(v, name)
        if isinstance(v, (list, tuple)) and _has_module(v):
            out = [self._place(x, name + "_" + str(i)) for i, x in enumerate(v)]
            return out if isinstance(v, list) else tuple(out)
        if isinstance(v, dict) and _has_module(v):
            return {k: self._place(x, name + "_" + str(k)) for k, x in v.items()}
        return v

    def __setattr__(self, name, value):
        state = self.__dict__
        if state.get("_in_setup") and not isinstance(value, Array):
            value = self._place(value, name)
        state[name] = value

    def __getattr__(self, name):
        if name[:1] == "_" and name[:2] == "__":
            raise AttributeError(name)
        state = self.__dict__
        if state.get("scope") is not None and not state.get("_setup_done", True) \
                and not state["_in_setup"]:
            self._try_setup()
            if name in state:
                return state[name]
        raise AttributeError(type(self).__name__ + " object has no attribute " + repr(name))

    def _try_setup(self):
        state = self.__dict__
        if state["_setup_done"] or state["_in_setup"]:
            return
        state["_in_setup"] = True
        STACK.append(self)
        old = state["_in_compact"]
        state["_in_compact"] = False
        try:
            self.setup()
        finally:
            STACK.pop()
            state["_in_setup"] = False
            state["_setup_done"] = True
            state["_in_compact"] = old

    def setup(self):
        pass

    def __hash__(self):
        return id(self)

    def __repr__(self):
        return type(self).__name__ + "(...)"

    # Variables.

    def param(self, name, init_fn, *init_args, unbox=True, **init_kwargs):
        scope = self.scope
        v = scope.get("params", name)
        if v is MISSING:
            if not scope.may_make("params"):
                raise ScopeParamNotFoundError(
                    "no parameter " + repr(name) + " in " + repr("/".join(scope.path)))
            value = init_fn(Key(()), *init_args, **init_kwargs)
            v = scope.make("params", name, value)
        if not unbox:
            return v
        return v if isinstance(v, Array) else _unbox(v)

    def variable(self, col, name, init_fn=None, *init_args, unbox=True, **init_kwargs):
        scope = self.scope
        if not scope.has(col, name) and scope.get(col, name) is MISSING:
            if init_fn is None:
                raise ScopeParamNotFoundError("no variable " + repr(name))
            value = init_fn(*init_args, **init_kwargs)
            scope.make(col, name, value)
        return Variable(scope, col, name)

    def has_variable(self, col, name):
        return self.scope.has(col, name)

    def get_variable(self, col, name, default=None):
        v = self.scope.get(col, name)
        return default if v is MISSING else unbox(v)

    def put_variable(self, col, name, value):
        self.scope.put(col, name, value)

    def is_mutable_collection(self, col):
        return self.scope.root.is_mutable(col)

    def make_rng(self, name="params"):
        levels = tuple(l.level for l in self.scope.lifts if l.level is not None)
        return Key((), levels)

    def has_rng(self, name):
        rngs = self.scope.root.rngs
        return name in rngs if isinstance(rngs, dict) else rngs is not None

    def is_initializing(self):
        return self.scope.root.making

    def sow(self, col, name, value, reduce_fn=None, init_fn=None):
        root = self.scope.root
        if not root.is_mutable(col) or root.making and col == "intermediates":
            return False
        d = self.scope.node(col, True)
        if _t.is_unknown(d):
            return False
        if reduce_fn is not None:
            d[name] = reduce_fn(d[name] if name in d else init_fn(), value)
        else:
            d[name] = (d[name] if name in d else ()) + (value,)
        return True

    def perturb(self, name, value, collection="perturbations"):
        return value

    @property
    def variables(self):
        out = {}
        root = self.scope.root.variables
        for col in root:
            node = self.scope.node(col)
            if node is not None:
                out[col] = node
        return out

    @property
    def path(self):
        return self.scope.path

    def copy(self, **kw):
        return self.clone(**kw)

    def clone(self, *, parent=None, _deep_clone=False, _reset_names=False, **updates):
        values = {f: self.__dict__.get(f) for f in fields_of(type(self))}
        values.update(updates)
        name = values.pop("name", self.__dict__.get("name"))
        if parent is None and "parent" in updates:
            parent = values.pop("parent")
        return type(self)(name=name, parent=parent, **values)

    # Use from outside.

    def _method(self, method):
        if method is None:
            return type(self).__call__
        if isinstance(method, str):
            return getattr(type(self), method)
        if hasattr(method, "__self__") and method.__self__ is not None:
            return method.__func__
        return method

    def _run(self, root, method, args, kw):
        m = _bare_copy(self)
        m.__dict__["parent"] = None
        m._bind(Scope(root, ()))
        outer = list(STACK)
        del STACK[:]
        before = _t.scope("")
        try:
            return self._method(method)(m, *args, **kw)
        finally:
            _t.scope(before)
            STACK.extend(outer)

    def init_with_output(self, rngs, *args, method=None, mutable=None, capture_intermediates=False,
                         **kw):
        root = Root({}, rngs if isinstance(rngs, dict) else {"params": rngs},
                    DenyList("intermediates") if mutable is None else mutable, True)
        _t.record("init_begin")
        try:
            out = self._run(root, method, _filled(args), _filled(kw))
        finally:
            _t.record("init_end")
        variables = root.variables
        _standins.initialised((type(self), self._method(method)), args, kw)
        if not _tr.ABSTRACT[0]:
            note_model(type(self).__name__, variables)
        return out, _given(variables)

    def init(self, rngs, *args, method=None, mutable=None, capture_intermediates=False, **kw):
        return self.init_with_output(rngs, *args, method=method, mutable=mutable, **kw)[1]

    def lazy_init(self, rngs, *args, method=None, mutable=None, **kw):
        return self.init(rngs, *args, method=method, mutable=mutable, **kw)

    def apply(self, variables, *args, rngs=None, method=None, mutable=False,
              capture_intermediates=False, **kw):
        args, kw = _standins.inputs_of((type(self), self._method(method)), args, kw)
        own = _copied(variables)
        root = Root(own, rngs if isinstance(rngs, dict) or rngs is None else {"params": rngs},
                    ["intermediates"] if capture_intermediates and not mutable else mutable, False)
        out = self._run(root, method, args, kw)
        if mutable is False:
            return out
        if _t.is_unknown(own):
            return out, own
        return out, _given({c: own[c] for c in own if root.is_mutable(c)})

    def bind(self, variables, *args, rngs=None, mutable=False):
        m = _bare_copy(self)
        root = Root(_copied(variables), rngs, mutable, False)
        m.__dict__["parent"] = None
        m.__dict__["_interactive"] = True
        m._bind(Scope(root, ()))
        return m

    def unbind(self):
        return _bare_copy(self), self.variables

    def tabulate(self, rngs, *args, **kw):
        return ""

    def module_paths(self, rngs, *args, **kw):
        return {}

    def __call__(self, *args, **kw):
        raise AttributeError(type(self).__name__ + " has no __call__")


def _filled(tree):
    """Shapes in place of arrays become arrays."""
    return _tree.map(_tr._from_struct, tree)


_OF_BINDING = ("scope", "parent", "_in_setup", "_in_compact", "_setup_done", "_counts")


def _bare_copy(m):
    c = object.__new__(type(m))
    state = c.__dict__
    old = m.__dict__
    for f in fields_of(type(m)):
        state[f] = old.get(f)
    for k in old:
        if k not in state and k not in _OF_BINDING and (k[:1] == "_" or not old["_setup_done"]):
            state[k] = old[k]
    state["name"] = old.get("name")
    state["parent"] = None
    state["scope"] = None
    state["_in_setup"] = False
    state["_in_compact"] = False
    state["_setup_done"] = False
    state["_counts"] = {}
    return c


def _copied(d):
    """Containers anew, so that what a call changes stays its own."""
    if _t.is_unknown(d):
        return d
    if isinstance(d, dict) or hasattr(d, "items") and hasattr(d, "keys"):
        return {k: _copied(v) for k, v in d.items()}
    return d


def note_model(name, variables):
    parameters = []
    buffers = []
    for col in variables:
        for x in _tree.leaves(variables[col]):
            if isinstance(x, Array) and _c.is_weight(x):
                (parameters if col == "params" else buffers).append(x)
    _models.note(name, parameters, buffers)
    if "params" in variables:
        _models.made(variables["params"])


def merge_param(name, a, b):
    if a is None and b is None:
        raise ValueError("parameter " + repr(name) + " is given neither to the constructor nor "
                         "to the call")
    if a is not None and b is not None:
        raise ValueError("parameter " + repr(name) + " is given to both the constructor and call")
    return a if b is None else b


def apply(fn, module, mutable=False, capture_intermediates=False):
    def run(variables, *args, rngs=None, **kw):
        return module.apply(variables, *args, rngs=rngs, method=fn, mutable=mutable, **kw)
    return run


FROZEN = [False]  # releases with flax.optim gave frozen variables


_looked = []


def _given(variables):
    if not _looked:
        # `state, params = variables.pop("params")`: frozen variables are two after that.
        _looked.append(True)
        FROZEN[0] = FROZEN[0] or _t.unpacks("pop", "params")
    if not FROZEN[0] or _t.is_unknown(variables):
        return variables
    from flax.core.frozen_dict import FrozenDict
    return FrozenDict(variables)


def init(fn, module, mutable=None, capture_intermediates=False):
    def run(rngs, *args, **kw):
        return module.init(rngs, *args, method=fn, **kw)
    return run


def init_with_output(fn, module, mutable=None, capture_intermediates=False):
    def run(rngs, *args, **kw):
        return module.init_with_output(rngs, *args, method=fn, **kw)
    return run


def share_scope(module, other):
    """Lets `other` keep its variables where `module` keeps its own."""
    other.__dict__["scope"] = module.scope
