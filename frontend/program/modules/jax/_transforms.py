"""Function transformations: mapping, gradients, compilation as plain calls."""

import functools
import inspect

import _tilewise as _t
from jax import _batch
from jax import _core as _c
from jax import _models
from jax import _replay
from jax.ref import Ref
from jax import _tree
from jax._core import Array, Key, as_array

COUNTER = [0]
NAMED_LEVELS = {}
WEIGHT_OF = _c.WEIGHT_OF
LOSSES = [0]
BACKWARDS = [0]
UPDATES = [0]
ABSTRACT = [0]


def _name_of(fun):
    return getattr(fun, "__name__", "") or getattr(getattr(fun, "func", None), "__name__", "")


def _copy_names(wrapper, fun):
    try:
        wrapper.__name__ = _name_of(fun) or "function"
        wrapper.__wrapped__ = fun
        wrapper.__doc__ = getattr(fun, "__doc__", None)
    except AttributeError:
        pass
    return wrapper


# Weights.

def make_weight(shape, dtype, name="", trainable=True, levels=()):
    """A weight, as large as the levels of vmap that its key was split over say."""
    shape = list(shape)
    if ABSTRACT[0]:
        w = _c.new(_t.full(0, _c.sizes_of(levels) + shape, dtype.short), levels)
    else:
        w = _c.new(_t.weight(_c.sizes_of(levels) + shape, dtype.short, name, trainable), levels)
    w._born = (COUNTER[0], trainable)
    return w


def made_within(x, level):
    """Whether a weight was made in the function that the level maps."""
    return getattr(x, "_born", (0, True))[0] >= level


def _leaf_weight(x, path, alone):
    """A leaf that is differentiated, as a weight: arrays that a program makes become one."""
    if isinstance(x, Array):
        later = x._make is not None and "_h" not in x.__dict__
        if isinstance(x, Key) or x._b or not later and (alone or _t.is_weight(x._h)):
            return x
        if x._src is not None:  # a cast of what the program holds
            if later:
                _leaf_weight(x._src, path, alone)
            return x
        if not _c.is_trainable(x.dtype) or ABSTRACT[0]:
            return x
        x._h = _t.weight(list(x.shape), x.dtype.short, _tree.keystr(path, simple=True,
                                                                     separator="."))
        return x
    if hasattr(x, "shape") and hasattr(x, "dtype") and not _t.is_unknown(x):
        if id(x) in WEIGHT_OF:
            return WEIGHT_OF[id(x)][1]
        h = getattr(x, "_h", None)
        if h is not None and not _t.is_unknown(h) and _t.is_weight(h):
            return _c.new(h)  # a variable of Keras
        d = _c.dtype(x.dtype)
        w = make_weight(x.shape, d, _tree.keystr(path, simple=True, separator="."))
        WEIGHT_OF[id(x)] = (x, w)
        return w
    return as_array(x) if isinstance(x, (int, float)) else x


def _flush_shardings():
    """Records where arrays are: by now it is known which of them are weights."""
    for x, axes in _c.SHARDED:
        if "_h" in x.__dict__:
            _t.record("shard", value=x._h, axes=axes)
    del _c.SHARDED[:]


# Gradients.

def gradient_of(x):
    """What stands for the gradient of `x`."""
    if not isinstance(x, Array):
        return x
    g = _c.lazy(x.shape, x.dtype, lambda: _t.op("tw.unary", [x._h], {"kind": "negate"}))
    g._g = 1.0
    if x._b:
        g._b = x._b
    return g


def _note_loss(loss, fun, hints, losses):
    if LOSSES[0] != losses or not isinstance(loss, Array):
        return
    name = _name_of(fun)
    if not name or name[0] == "<":
        name = "custom"
    logits = False
    new = _c.HINTS[hints:]
    if "softmax_cross_entropy" in new:
        name, logits = "softmax_cross_entropy", True
    elif "sigmoid_cross_entropy" in new:
        name, logits = "sigmoid_binary_cross_entropy", True
    _t.record("loss", value=loss._h, name=name, from_logits=logits, sparse=False)


def _hand_step(lr):
    if not _hand_step_known:
        _hand_step_known.append(lr)
        _t.record("optimizer", name="SGD", lr=lr, weight_decay=0.0, momentum=0.0)
    UPDATES[0] += 1
    _t.record("step", by="jax", name="SGD", optimizer="SGD")


_hand_step_known = []


def _on_hand_written(lr):
    # One record for each backward pass, whatever the number of weights.
    if _pending[0]:
        _pending[0] = False
        _hand_step(abs(lr))


_pending = [False]
_c.HAND_WRITTEN[0] = _on_hand_written


def _source(x):
    return x if x._src is None else x._src


def _by_the_way(watched):
    """Whether a gradient of one number is shown after a training step was taken."""
    return UPDATES[0] > 0 and all([not x.shape and not x._b for x in watched])


def value_and_grad(fun, argnums=0, has_aux=False, holomorphic=False, allow_int=False,
                   reduce_axes=()):
    def wrapper(*args, **kw):
        args = list(args)
        many = not isinstance(argnums, int)
        places = list(argnums) if many else [argnums]
        watched = []
        for p in places:
            pairs, tree = _tree.flatten_with_path(_models.known(args[p]))
            alone = len(pairs) == 1
            new = [_leaf_weight(x, path, alone) for path, x in pairs]
            watched += [x for x in new if isinstance(x, Array)]
            args[p] = _tree.unflatten(tree, new)
        hints = len(_c.HINTS)
        losses = LOSSES[0]
        _replay.GRADIENTS[0] += 1
        try:
            out = fun(*args, **kw)
        finally:
            _replay.GRADIENTS[0] -= 1
        loss = out[0] if has_aux and not _t.is_unknown(out) else out
        if not isinstance(loss, Array) and getattr(loss, "_h", None) is not None:
            loss = as_array(loss)  # a loss of Keras
        if _t.is_unknown(loss) and not ABSTRACT[0]:
            _t.note("a loss whose gradient is asked for is not known: " + _t.reason(loss))
        if isinstance(loss, Array) and not _by_the_way(watched):
            _note_loss(loss, fun, hints, losses)
            _batch.note([a for i, a in enumerate(args) if i not in places], watched)
            _models.trained(watched)
            _flush_shardings()
            _t.record("backward", by="jax", per_core=_batch.MAPPED[0] > 0, value=loss._h,
                      parameters=[_source(x)._h
                                  for x in watched if _c.is_trainable(x.dtype)])
            _pending[0] = True
            BACKWARDS[0] += 1
        grads = [_tree.map(gradient_of, args[p]) for p in places]
        return out, (tuple(grads) if many else grads[0])
    return _copy_names(wrapper, fun)


def grad(fun, argnums=0, has_aux=False, holomorphic=False, allow_int=False, reduce_axes=()):
    both = value_and_grad(fun, argnums, has_aux)

    def wrapper(*args, **kw):
        out, grads = both(*args, **kw)
        return (grads, out[1]) if has_aux else grads
    return _copy_names(wrapper, fun)


def vjp(fun, *primals, has_aux=False, reduce_axes=()):
    pairs, tree = _tree.flatten_with_path(tuple(primals))
    leaves = [_leaf_weight(x, path, len(pairs) == 1) for path, x in pairs]
    args = _tree.unflatten(tree, leaves)
    hints = len(_c.HINTS)
    losses = LOSSES[0]
    out = fun(*args)
    value = out[0] if has_aux else out

    def pull(cotangents):
        outs = [x for x in _tree.leaves(value) if isinstance(x, Array)]
        if outs:
            _models.trained([x for x in leaves if isinstance(x, Array)])
            _note_loss(outs[0], fun, hints, losses)
            _flush_shardings()
            _t.record("backward", by="jax", value=outs[0]._h,
                      parameters=[_source(x)._h for x in leaves
                                  if isinstance(x, Array) and _c.is_trainable(x.dtype)])
            _pending[0] = True
            BACKWARDS[0] += 1
        return _tree.map(gradient_of, args)
    return (value, pull, out[1]) if has_aux else (value, pull)


def jvp(fun, primals, tangents, has_aux=False):
    out = fun(*primals)
    _t.note("a forward derivative is counted as the function alone")
    if has_aux:
        return out[0], _tree.map(gradient_of, out[0]), out[1]
    return out, _tree.map(gradient_of, out)


def linearize(fun, *primals):
    out = fun(*primals)
    return out, lambda *tangents: _tree.map(gradient_of, out)


def _jacobian(fun, argnums=0, has_aux=False, **kw):
    def wrapper(*args, **kwargs):
        out = fun(*args, **kwargs)
        y = out[0] if has_aux else out

        def one(x):
            return _c.broadcast_to(_c.reduce("sum", as_array(y)),
                                   tuple(as_array(y).shape) + tuple(x.shape))
        j = _tree.map(one, args[argnums if isinstance(argnums, int) else argnums[0]])
        return (j, out[1]) if has_aux else j
    return wrapper


jacfwd = jacrev = jacobian = _jacobian


def hessian(fun, argnums=0, **kw):
    return _jacobian(grad(fun, argnums), argnums)


def policy_word(policy):
    """What the policy keeps, in one word; None: nothing."""
    word = policy() if callable(policy) else policy
    return word if isinstance(word, str) else None


def checkpoint(fun=None, *, prevent_cse=True, policy=None, static_argnums=(), concrete=False):
    if fun is None:
        return lambda f: checkpoint(f, policy=policy)

    def wrapper(*args, **kw):
        _t.record("remat", policy=policy_word(policy))
        return fun(*args, **kw)
    return _copy_names(wrapper, fun)


class custom_vjp:
    def __init__(self, fun, nondiff_argnums=(), nondiff_argnames=()):
        self.fun = fun
        self.__name__ = _name_of(fun)

    def defvjp(self, fwd, bwd, *args, **kw):
        self.fwd = fwd
        self.bwd = bwd
        return self

    def defjvp(self, jvp, *args, **kw):
        return jvp

    def defjvps(self, *args):
        return None

    def __call__(self, *args, **kw):
        return self.fun(*args, **kw)


custom_jvp = custom_vjp


def custom_gradient(fun):
    def wrapper(*args, **kw):
        return fun(*args, **kw)[0]
    return wrapper


# Compilation.

HOST = {}
_depth = [0]


def on_device(x):
    """An array of numpy as one of JAX, the same one each time."""
    if isinstance(x, (Array, Ref, int, float, str)) or x is None or callable(x):
        return x
    if _t.is_unknown(x) or isinstance(x, ShapeDtypeStruct) or not hasattr(x, "dtype") \
            or not hasattr(x, "shape"):
        return x
    if id(x) in WEIGHT_OF:
        return WEIGHT_OF[id(x)][1]
    if id(x) not in HOST:
        HOST[id(x)] = (x, as_array(x))
    return HOST[id(x)][1]


def _places_of(fun, names):
    """Where a function takes arguments that are static by their names."""
    if not names:
        return ()
    try:
        given = list(inspect.signature(fun).parameters)
    except (TypeError, ValueError):
        return tuple(range(256))
    if _t.is_unknown(given):
        return tuple(range(256))
    return tuple([i for i, x in enumerate(given) if x in names])


def _traced(x):
    """An argument as a compiled function sees it: a number is an array there."""
    if type(x) in (int, float):
        return as_array(x)
    return x if isinstance(x, Array) else _tree.map(on_device, x)


class Lowered:
    def __init__(self, fun, args, kw):
        self.call = lambda: fun(*args, **kw)
        self.fun = fun

    def compile(self, *args, **kw):
        return Compiled(self.fun)

    def as_text(self, *args, **kw):
        return ""

    def cost_analysis(self):
        return {}


class Compiled:
    def __init__(self, fun):
        self.fun = fun

    def __call__(self, *args, **kw):
        return self.fun(*args, **kw)

    def cost_analysis(self):
        return _t.unknown("what the compiler says of costs")

    def memory_analysis(self):
        return _t.unknown("what the compiler says of memory")

    def as_text(self):
        return ""


def jit(fun=None, in_shardings=None, out_shardings=None, static_argnums=None,
        static_argnames=None, donate_argnums=None, donate_argnames=None, keep_unused=False,
        device=None, backend=None, inline=False, abstracted_axes=None, in_axis_resources=None,
        out_axis_resources=None, compiler_options=None):
    if fun is None:
        return lambda f: jit(f, in_shardings, out_shardings, static_argnums, static_argnames)
    static = () if static_argnums is None else (
        (static_argnums,) if isinstance(static_argnums, int) else tuple(static_argnums))
    names = () if static_argnames is None else (
        (static_argnames,) if isinstance(static_argnames, str) else tuple(static_argnames))
    static += _places_of(fun, names)
    ins = in_shardings if in_shardings is not None else in_axis_resources
    outs = out_shardings if out_shardings is not None else out_axis_resources

    def wrapper(*args, **kw):
        key, given = None, (args, kw)
        if _depth[0] == 0 and not ABSTRACT[0] and not _replay.GRADIENTS[0]:
            key = _replay.key_of(fun, args, kw)
            found = _replay.again(key)
            if found is not None:
                return found[0]
        args = [a if i in static or isinstance(a, Array) else _traced(a)
                for i, a in enumerate(args)]
        kw = {k: v if k in names or static else _traced(v) for k, v in kw.items()}
        if _depth[0] == 0:
            _batch.CALLED[0] = args
            _batch.take_buffers((args, kw))
        if ins is not None:
            _constrain_args(args, ins, static_argnums)
        counts = (BACKWARDS[0], UPDATES[0])
        _depth[0] += 1
        try:
            out = fun(*args, **kw)
        finally:
            _depth[0] -= 1
        if key is not None and counts == (BACKWARDS[0], UPDATES[0]):
            _replay.keep(key, fun, given, out)
        if outs is not None:
            _constrain(out, outs)
        return out
    _copy_names(wrapper, fun)
    wrapper.lower = lambda *args, **kw: Lowered(wrapper, args, kw)
    wrapper.trace = lambda *args, **kw: Lowered(wrapper, args, kw)
    wrapper.eval_shape = lambda *args, **kw: eval_shape(fun, *args, **kw)
    wrapper.clear_cache = lambda: None
    return wrapper


def _constrain(x, shardings):
    from jax.sharding import constrain
    try:
        constrain(x, shardings)
    except (ValueError, TypeError, KeyError, AttributeError, IndexError):
        pass


def _constrain_args(args, ins, static):
    from jax.sharding import Sharding, PartitionSpec
    if isinstance(ins, (Sharding, PartitionSpec)):
        for a in args:
            _constrain(a, ins)
    elif isinstance(ins, (tuple, list)):
        skip = () if static is None else ((static,) if isinstance(static, int) else static)
        shown = [a for i, a in enumerate(args) if i not in skip]
        for a, s in zip(shown, ins):
            if s is not None:
                _constrain(a, s)


class ShapeDtypeStruct:
    weak_type = False

    def __init__(self, shape, dtype, *, sharding=None, named_shape=None, weak_type=False, **kw):
        self.shape = tuple(_t.dims(shape))
        self.dtype = _c.dtype(dtype)
        self.sharding = sharding

    @property
    def ndim(self):
        return len(self.shape)

    @property
    def size(self):
        n = 1
        for s in self.shape:
            n *= s
        return n

    def update(self, **kw):
        r = ShapeDtypeStruct(kw.get("shape", self.shape), kw.get("dtype", self.dtype))
        r.sharding = kw.get("sharding", self.sharding)
        return r

    def __len__(self):
        return self.shape[0]

    def __repr__(self):
        return "ShapeDtypeStruct(shape=" + str(self.shape) + ", dtype=" + self.dtype.name + ")"

    def __eq__(self, other):
        return (isinstance(other, ShapeDtypeStruct) and other.shape == self.shape
                and other.dtype is self.dtype)

    def __hash__(self):
        return hash((self.shape, self.dtype))


def _to_struct(x):
    if isinstance(x, ShapeDtypeStruct):
        return x
    if isinstance(x, Key):
        return x
    if isinstance(x, Array):
        return ShapeDtypeStruct(x.shape, x.dtype)
    if isinstance(x, (int, float)):
        x = as_array(x)
        return ShapeDtypeStruct(x.shape, x.dtype)
    if hasattr(x, "shape") and hasattr(x, "dtype") and not _t.is_unknown(x):
        return ShapeDtypeStruct(x.shape, x.dtype)
    return x


def _from_struct(x):
    if isinstance(x, ShapeDtypeStruct):
        return _c.full(0, x.shape, x.dtype)
    return x


def eval_shape(fun, *args, **kw):
    args = _tree.map(_from_struct, args)
    kw = _tree.map(_from_struct, kw)
    ABSTRACT[0] += 1
    try:
        out = fun(*args, **kw)
    finally:
        ABSTRACT[0] -= 1
    return _tree.map(_to_struct, out)


def make_jaxpr(fun, *args, **kw):
    return lambda *a, **k: _t.unknown("a jaxpr")


# Mapping.

def _axis_list(axes, tree):
    """One axis (or None) for each leaf of `tree`."""
    leaves = _tree.leaves(tree)
    if axes is None or isinstance(axes, int):
        return [axes] * len(leaves)
    return _tree.broadcast_prefix(axes, tree, lambda v: v is None)


def _push(x, axis, level):
    """The array without dim `axis`, which becomes a level."""
    if isinstance(x, Key):
        shape = list(x.shape)
        if not shape:
            return x
        del shape[axis]
        return Key(tuple(shape), x._b + (level,))
    if not isinstance(x, Array):
        if _no_array(x):
            return x
        x = as_array(x)
        if _t.is_unknown(x):
            return x
    if axis % len(x.shape) != 0:
        x = _c.moveaxis(x, axis, 0)
    r = _c.new(x._h, x._b + (level,))
    if x._g is not None:
        r._g = x._g
    return r


def _pop(x, axis, level, size):
    """The array with the level as dim `axis`."""
    if axis is None:
        return x
    if isinstance(x, Key):
        if level not in x._b:
            return Key((size,) + tuple(x.shape), x._b)
        return Key((size,) + tuple(x.shape), tuple(b for b in x._b if b != level))
    if not isinstance(x, Array):
        if _no_array(x):
            return x
        x = as_array(x)
        if _t.is_unknown(x):
            return x
    if level in x._b:
        r = level_axis(x, level)
        if x._g is not None:
            r._g = x._g
    elif made_within(x, level):
        # A weight that begins with constants is one for each element as well.
        r = make_weight([size] + list(x.shape), x.dtype, "", x._born[1], x._b)
    else:
        r = _c.broadcast_to(_c.expand_dims(x, 0), [size] + list(x.shape))
    if axis % max(len(r.shape), 1) != 0:
        r = _c.moveaxis(r, 0, axis)
    return r


def new_level(size, name=None):
    COUNTER[0] += 1
    level = COUNTER[0]
    _c.LEVEL_SIZES[level] = size
    if name is not None:
        NAMED_LEVELS.setdefault(name, []).append(level)
    return level


def end_level(name):
    if name is not None:
        NAMED_LEVELS[name].pop()


def _size_of(leaves, axes):
    for x, a in zip(leaves, axes):
        if a is not None and not _t.is_unknown(x) and not _no_array(x):
            if isinstance(x, Key) and not x.shape:
                return 2
            s = x.shape if hasattr(x, "shape") else as_array(x).shape
            return s[a]
    return None


def level_of(axis_name):
    """The level of the innermost mapped axis of that name, or None."""
    names = NAMED_LEVELS.get(axis_name)
    return names[-1] if names else None


def level_axis(x, level):
    """The array with the level as logical dim 0, and without the level."""
    return _c.new(x._h, tuple(b for b in x._b if b != level)) if x._b[-1] == level \
        else _inner_axis(x, level)


def _inner_axis(x, level):
    at = x._b.index(level)
    k = len(x._b)
    n = k + len(x.shape)
    order = [i for i in range(k) if i != at] + [at] + list(range(k, n))
    h = _t.op("tw.transpose", [x._h], {"permutation": order})
    return _c.new(h, tuple(b for b in x._b if b != level))


def vmap(fun, in_axes=0, out_axes=0, axis_name=None, axis_size=None, spmd_axis_name=None):
    def wrapper(*args, **kw):
        axes = tuple(in_axes) if isinstance(in_axes, list) else in_axes
        if isinstance(axes, tuple) and len(axes) > len(args):
            axes = axes[:len(args)]
        leaves, tree = _tree.flatten(args)
        places = _axis_list(axes, args)
        more, more_tree = _tree.flatten(kw)
        size = _size_of(leaves, places)
        if size is None and more:
            size = _size_of(more, [0] * len(more))
        if size is None:
            size = axis_size
        if size is None:
            from jax import _standins
            size = _standins.mapped_size(leaves + more)
        if size is None:
            return _t.unknown("a mapped function without a size of its axis")
        level = new_level(size, axis_name)
        leaves = [x if a is None else _push(x, a, level) for x, a in zip(leaves, places)]
        more = [_push(x, 0, level) for x in more]
        _batch.LEVELS.append(level)
        try:
            out = fun(*_tree.unflatten(tree, leaves), **_tree.unflatten(more_tree, more))
        finally:
            _batch.LEVELS.pop()
            end_level(axis_name)
        outs, out_tree = _tree.flatten(out)
        places = _axis_list(out_axes, out)
        return _tree.unflatten(out_tree, [_pop(x, a, level, size) for x, a in zip(outs, places)])
    return _copy_names(wrapper, fun)


def _no_array(x):
    return not isinstance(x, (Array, int, float, complex)) and not _t.is_unknown(x) \
        and not hasattr(x, "shape") and not hasattr(x, "_h")


def replicated(x, n):
    """`x` once for each of `n` devices; it stays what it is within pmap."""
    if _no_array(x):
        return x
    if not isinstance(x, Array):
        x = as_array(x)
        if _t.is_unknown(x):
            return x
    if isinstance(x, Key):
        r = Key((n,) + tuple(x.shape))
    else:
        r = _c.lazy((n,) + tuple(x.shape), x.dtype, lambda: _t.op(
            "tw.broadcast_in_dim", [x._h], {"shape": [n] + list(x.shape),
                                            "dims": list(range(1, len(x.shape) + 1))}))
    r._rep = x
    return r


def first_of(x):
    """The part of one device."""
    if isinstance(x, Array):
        r = getattr(x, "_rep", None)
        if r is not None:
            return r
    elif _t.is_unknown(x) or _no_array(x):
        return x
    else:
        x = as_array(x)
        if _t.is_unknown(x):
            return x
    if not x.shape:
        return x
    part = _c.part_of_fed(x)
    if part is not None:
        return part
    if x.shape[0] == 1:
        return _c.reshape(x, x.shape[1:]) if not isinstance(x, Key) else x[0]
    return x[0]


def _of_all(out, out_axes, n):
    """What all devices give, where one gives `out`."""
    outs, tree = _tree.flatten(out)
    places = _axis_list(out_axes, out)
    return _tree.unflatten(tree, [x if p is None else replicated(x, n)
                                  for x, p in zip(outs, places)])


def pmap(fun, axis_name=None, *, in_axes=0, out_axes=0, static_broadcasted_argnums=(),
         devices=None, backend=None, axis_size=None, donate_argnums=(), global_arg_shapes=None):
    static = static_broadcasted_argnums
    static = (static,) if isinstance(static, int) else tuple(static)

    def wrapper(*args, **kw):
        from jax import lax, local_device_count
        n = local_device_count()
        _t.record("pmap", devices=n, axis=str(axis_name))
        if axis_name is not None:
            lax.AXES[str(axis_name)] = _t.replicas()
        key, given = None, (args, kw)
        if not ABSTRACT[0] and not _replay.GRADIENTS[0] and not _batch.MAPPED[0]:
            key = _replay.key_of(wrapper, args, kw)
            found = _replay.again(key)
            if found is not None:
                return _of_all(found[0], out_axes, n)
        new = []
        axes = in_axes
        if isinstance(axes, (tuple, list)):
            axes = list(axes)
        for i, a in enumerate(args):
            if i in static:
                new.append(a)
                continue
            axis = axes[i] if isinstance(axes, list) else axes
            leaves, tree = _tree.flatten(a)
            new.append(_tree.unflatten(tree, [
                x if p is None else first_of(x) for x, p in zip(leaves, _axis_list(axis, a))]))
        kw = {k: _tree.map(first_of, v) for k, v in kw.items()}
        called, _batch.CALLED[0] = _batch.CALLED[0], new
        counts = (BACKWARDS[0], UPDATES[0])
        _batch.MAPPED[0] += 1
        try:
            out = fun(*new, **kw)
        finally:
            _batch.MAPPED[0] -= 1
            _batch.CALLED[0] = called
        if key is not None and counts == (BACKWARDS[0], UPDATES[0]):
            _replay.keep(key, wrapper, given, out)
        return _of_all(out, out_axes, n)
    _copy_names(wrapper, fun)
    wrapper.lower = lambda *args, **kw: Lowered(wrapper, args, kw)
    return wrapper
