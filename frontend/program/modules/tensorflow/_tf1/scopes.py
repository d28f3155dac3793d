"""Variable scopes and name scopes of TensorFlow 1."""

import importlib

import _tilewise as _t
from tensorflow._dtypes import as_dtype, float32, int64
from tensorflow._shape import TensorShape
from tensorflow._tensor import Tensor, handle
from tensorflow._tf1 import graph as _g
from tensorflow._tf1.made import new_variable

# What tensors have in graphs of TensorFlow 1.
importlib.import_module("tensorflow._tf1.made")


class _AutoReuse:
    name = "AUTO_REUSE"

    def __bool__(self):
        return True


AUTO_REUSE = _AutoReuse()


class VariableScope:
    def __init__(self, reuse, name="", initializer=None, regularizer=None, caching_device=None,
                 partitioner=None, custom_getter=None, name_scope="", dtype=float32,
                 use_resource=None, constraint=None):
        self.name = name
        self.reuse = reuse
        self.initializer = initializer
        self.regularizer = regularizer
        self.caching_device = caching_device
        self.partitioner = partitioner
        self.custom_getter = custom_getter
        self.original_name_scope = name_scope + "/" if name_scope else ""
        self.dtype = dtype
        self.use_resource = use_resource
        self.constraint = constraint

    _name_scope = property(lambda self: self.original_name_scope)

    def copy(self):
        made = VariableScope(self.reuse, self.name, self.initializer, self.regularizer,
                             self.caching_device, self.partitioner, self.custom_getter, "",
                             self.dtype, self.use_resource, self.constraint)
        made.original_name_scope = self.original_name_scope
        return made

    def reuse_variables(self):
        self.reuse = True

    def set_initializer(self, initializer):
        self.initializer = initializer

    def set_regularizer(self, regularizer):
        self.regularizer = regularizer

    def set_custom_getter(self, custom_getter):
        self.custom_getter = custom_getter

    def set_dtype(self, dtype):
        self.dtype = dtype

    def set_partitioner(self, partitioner):
        self.partitioner = partitioner

    set_caching_device = set_use_resource = set_partitioner

    def get_variable(self, store_or_name, name=None, **kw):
        return get_variable(store_or_name if name is None else name, **kw)

    def global_variables(self):
        return _g.global_variables(self.name)

    def trainable_variables(self):
        return _g.trainable_variables(self.name)

    def local_variables(self):
        return []

    def get_collection(self, name):
        return _g.get_collection(name, self.name)


def get_variable_scope():
    graph = _g.get_default_graph()
    if graph.scope is None:
        graph.scope = VariableScope(False)
    return graph.scope


def _joined(outer, name):
    return outer + "/" + name if outer and name else outer or name


def _unique(graph, outer, name):
    """A name that no scope within `outer` has had yet."""
    full = _joined(outer, name)
    if not graph.counts.get(full):
        return name
    i = 1
    while graph.counts.get(full + "_" + str(i)):
        i += 1
    return name + "_" + str(i)


def _composed(inner, outer):
    if inner is None or outer is None:
        return inner or outer

    def both(getter, *args, **kw):
        def through(*a, **k):
            return outer(getter, *a, **k)
        return inner(through, *args, **kw)
    return both


def _close(graph, name):
    """Scopes within `name` count from the start again."""
    prefix = name + "/"
    for key in list(graph.counts):
        if not name or key.startswith(prefix):
            graph.counts[key] = 0


class variable_scope:
    """variable_scope(name or scope): also a decorator, and may be entered more than once."""

    def __init__(self, name_or_scope, default_name=None, values=None, initializer=None,
                 regularizer=None, caching_device=None, partitioner=None, custom_getter=None,
                 reuse=None, dtype=None, use_resource=None, constraint=None,
                 auxiliary_name_scope=True):
        if name_or_scope is None and default_name is None:
            raise TypeError("If default_name is None then name_or_scope is required")
        self.given = name_or_scope
        self.default_name = default_name
        self.changes = (initializer, regularizer, caching_device, partitioner, custom_getter,
                        reuse, dtype, use_resource, constraint)
        self.auxiliary = auxiliary_name_scope
        self.open = []

    def __call__(self, function):
        def inside(*args, **kw):
            with self:
                return function(*args, **kw)
        inside.__name__ = getattr(function, "__name__", "inside")
        return inside

    def _made(self, graph, before):
        given = self.given
        if isinstance(given, variable_scope):
            given = given.open[-1][1] if given.open else given.given
        if isinstance(given, VariableScope):
            made = given.copy()
            if before.reuse and not made.reuse:
                made.reuse = before.reuse
            relative = given.name.rsplit("/", 1)[-1]
        else:
            relative = given
            if given is None:
                relative = _unique(graph, before.name, self.default_name)
            made = before.copy()
            made.name = _joined(before.name, str(relative))
            made.original_name_scope = made.name + "/"
        (initializer, regularizer, caching_device, partitioner, custom_getter, reuse, dtype,
         use_resource, constraint) = self.changes
        if initializer is not None:
            made.initializer = initializer
        if regularizer is not None:
            made.regularizer = regularizer
        if partitioner is not None:
            made.partitioner = partitioner
        if custom_getter is not None:
            made.custom_getter = _composed(custom_getter, made.custom_getter)
        if reuse is not None:
            made.reuse = reuse or before.reuse
        if dtype is not None:
            made.dtype = as_dtype(dtype)
        if use_resource is not None:
            made.use_resource = use_resource
        if constraint is not None:
            made.constraint = constraint
        return made, str(relative)

    def __enter__(self):
        graph = _g.get_default_graph()
        before = get_variable_scope()
        made, relative = self._made(graph, before)
        counts = None
        if isinstance(self.given, VariableScope):
            counts = dict(graph.counts)
        else:
            graph.counts[made.name] = graph.counts.get(made.name, 0) + 1
        graph.scope = made
        names = None
        if self.auxiliary:
            names = graph.name_scope_now
            inner = _joined(names, relative)
            graph.name_scope_now = inner
            _t.scope(inner)
        self.open.append((before, made, counts, names))
        return made

    def __exit__(self, kind, value, trace):
        graph = _g.get_default_graph()
        before, made, counts, names = self.open.pop()
        _close(graph, made.name)
        if counts is not None:
            graph.counts = counts
        graph.scope = before
        if names is not None:
            graph.name_scope_now = names
            _t.scope(names)
        return False


def variable_op_scope(values, name_or_scope, default_name=None, **kw):
    return variable_scope(name_or_scope, default_name, values, **kw)


class name_scope:
    def __init__(self, name, default_name=None, values=None, **kw):
        self.given = default_name if name is None else name

    def __enter__(self):
        graph = _g.get_default_graph()
        self.before = graph.name_scope_now
        given = self.given
        if not given:
            graph.name_scope_now = ""
        elif given[-1] == "/":
            graph.name_scope_now = given[:-1]
        else:
            graph.name_scope_now = _joined(self.before, given)
        _t.scope(graph.name_scope_now)
        return graph.name_scope_now + "/" if graph.name_scope_now else ""

    def __exit__(self, kind, value, trace):
        _g.get_default_graph().name_scope_now = self.before
        _t.scope(self.before)
        return False

    def __call__(self, function):
        def inside(*args, **kw):
            with name_scope(self.given):
                return function(*args, **kw)
        return inside


def op_scope(values, name, default_name=None):
    return name_scope(name, default_name, values)


def _shape_and_type(shape, dtype, initializer):
    """Those of a variable; a value as initializer says both."""
    if initializer is not None and not callable(initializer):
        h = initializer._h if isinstance(initializer, Tensor) else handle(
            initializer, None if dtype is None else dtype)
        if shape is None:
            shape = _t.shape(h)
        return list(shape), as_dtype(_t.dtype(h)) if dtype is None else as_dtype(dtype)
    if _t.is_unknown(shape):
        return shape, dtype
    return TensorShape([_known(d) for d in shape] if isinstance(shape, (list, tuple)) and
                       not isinstance(shape, TensorShape) else
                       shape if shape is not None else ()).as_list(), as_dtype(dtype or float32)


def _known(size):
    size = _t.size_or(size)
    if not _t.is_unknown(size):
        return size
    _t.note("the count is a lower bound: a size of a variable is not known and taken as 1: " +
            _t.reason(size))
    return 1


def _plain_getter(name, shape=None, dtype=None, initializer=None, regularizer=None, reuse=None,
                  trainable=None, collections=None, caching_device=None, partitioner=None,
                  validate_shape=True, use_resource=None, constraint=None,
                  synchronization=None, aggregation=None, **kw):
    graph = _g.get_default_graph()
    found = graph.store.get(name)
    if found is not None:
        return found
    dims, kind = _shape_and_type(shape, dtype, initializer)
    if _t.is_unknown(dims):
        return dims
    if trainable is None:
        trainable = not getattr(synchronization, "name", "") == "ON_READ"
    v = new_variable(dims, kind, name, trainable)
    if _t.is_unknown(v):
        return v
    graph.store[name] = v
    for key in collections or ():
        _g.add_to_collection(key, v)
    if regularizer is not None:
        loss = regularizer(v)
        if loss is not None:
            _g.add_to_collection("regularization_losses", loss)
    return v


def get_variable(name, shape=None, dtype=None, initializer=None, regularizer=None,
                 trainable=None, collections=None, caching_device=None, partitioner=None,
                 validate_shape=True, use_resource=None, custom_getter=None, constraint=None,
                 synchronization=None, aggregation=None):
    scope = get_variable_scope()
    full = scope.name + "/" + name if scope.name else name
    getter = _composed(custom_getter, scope.custom_getter)
    if initializer is None:
        initializer = scope.initializer
    if regularizer is None:
        regularizer = scope.regularizer
    if dtype is None and (initializer is None or callable(initializer)):
        dtype = scope.dtype
    if getter is None:
        return _plain_getter(full, shape, dtype, initializer, regularizer, scope.reuse, trainable,
                             collections, synchronization=synchronization)
    return getter(_plain_getter, full, shape=shape, dtype=None if dtype is None
                  else as_dtype(dtype), initializer=initializer, regularizer=regularizer,
                  reuse=scope.reuse, trainable=True if trainable is None else trainable,
                  collections=collections, caching_device=caching_device,
                  partitioner=partitioner, validate_shape=validate_shape,
                  use_resource=use_resource, constraint=constraint,
                  synchronization=synchronization, aggregation=aggregation)


def get_local_variable(name, shape=None, dtype=None, initializer=None, **kw):
    kw["trainable"] = False
    return _g.mark_local(get_variable(name, shape, dtype, initializer, **kw))


def no_regularizer(tensor):
    return None


def create_global_step(graph=None):
    graph = graph or _g.get_default_graph()
    if graph.step is None:
        graph.step = _g.mark_local(new_variable([], int64, "global_step", False))
    return graph.step


def get_or_create_global_step(graph=None):
    return create_global_step(graph)


def get_global_step(graph=None):
    return create_global_step(graph)


def assert_global_step(step):
    return None


def model_variable(name, shape=None, dtype=None, initializer=None, regularizer=None,
                   trainable=True, collections=None, caching_device=None, device=None,
                   partitioner=None, custom_getter=None, use_resource=None, **kw):
    return get_variable(name, shape, dtype, initializer, regularizer, trainable, collections,
                        custom_getter=custom_getter)
