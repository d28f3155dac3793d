"""Lifted transformations: scan, vmap, remat, jit of modules."""

import functools

import _tilewise as _t
from jax import _core as _c
from jax import _tree
from jax import _transforms as _tr
from jax import lax
from jax._core import Array, binary
from flax.linen import _module as _m
from flax.linen._module import Module, Lift


class _Broadcast:
    def __repr__(self):
        return "broadcast"


broadcast = _Broadcast()


class In:
    def __init__(self, axis):
        self.axis = axis


class Out:
    def __init__(self, axis):
        self.axis = axis


def _is_class(target):
    if isinstance(target, functools.partial):
        target = target.func
    return isinstance(target, type) and issubclass(target, Module)


def _lifted_class(target, prefix, methods, make):
    """A subclass of `target` whose methods are made by `make(method)`."""
    if isinstance(target, functools.partial):
        lifted = _lifted_class(target.func, prefix, methods, make)
        return functools.partial(lifted, *target.args, **target.keywords)
    names = methods
    if names is None:
        names = ["__call__"]
    elif isinstance(names, str):
        names = [names]
    elif isinstance(names, dict):
        names = list(names)

    class Lifted(target):
        pass
    Lifted.__name__ = prefix + target.__name__
    Lifted.__qualname__ = Lifted.__name__
    for n in names:
        method = make(getattr(target, n))
        method._done = True
        method._compact = True
        setattr(Lifted, n, method)
    return Lifted


def _plain(method):
    """A method that is given as a function: each call of it is a call of the module."""
    if getattr(method, "_done", False):
        return method
    is_compact = getattr(method, "_compact", False)

    def call(self, *args, **kw):
        if not isinstance(self, Module):
            return method(self, *args, **kw)
        return _m.run_method(method, is_compact, self, args, kw)
    call._compact = is_compact
    return call


def _like(run, method):
    run._compact = getattr(method, "_compact", False)
    return run


def _lift_of(module, axes, size, level, names):
    """Puts one lift on the scope of `module`, and gives it back at each later call."""
    state = module.__dict__
    lift = state.get("_lift")
    if lift is None or lift.size != size:
        lift = Lift(axes, size, level, names)
        scope = module.scope
        scope.lifts = scope.lifts + (lift,)
        state["_lift"] = lift
    lift.level = level
    return lift


def scan(target, variable_axes=None, variable_broadcast=False, variable_carry=False,
         split_rngs=None, in_axes=0, out_axes=0, length=None, reverse=False, unroll=1,
         data_transform=None, metadata_params=None, methods=None, check_constancy_invariants=True,
         _split_transpose=False, **ignored):
    axes = dict(variable_axes or {})

    def make(method):
        def run(self, carry, *xs):
            return _scanned(method, self, carry, xs, axes, in_axes, out_axes, length, reverse,
                            metadata_params)
        return run
    if _is_class(target):
        return _lifted_class(target, "Scan", methods, make)
    return _like(make(_plain(target)), target)


def _take(x, axis, i):
    if _t.is_unknown(x):
        return x
    x = x if isinstance(x, Array) else _c.as_array(x)
    if isinstance(x, _c.Key):
        return x[0]
    a = axis % len(x.shape)
    if isinstance(i, Array):
        return lax.row_of(x, i, a)
    if a == 0:
        return x[i]
    starts = [0] * len(x.shape)
    limits = list(x.shape)
    starts[a] = i
    limits[a] = i + 1
    return _c.squeeze(_c.slice_(x, starts, limits), a)


def _no_axis(v):
    return v is None or v is broadcast


def _axes_for(axes, tree):
    """An axis or None for each leaf."""
    n = len(_tree.leaves(tree))
    if _no_axis(axes):
        return [None] * n
    if isinstance(axes, int):
        return [axes] * n
    return [None if _no_axis(a) else a
            for a in _tree.broadcast_prefix(axes, tree, lambda v: _no_axis(v))]


def _scanned(method, module, carry, xs, axes, in_axes, out_axes, length, reverse, names):
    leaves, tree = _tree.flatten(xs)
    if isinstance(in_axes, (tuple, list)):
        places = []
        for a, x in zip(in_axes, xs):
            places += _axes_for(a, x)
    else:
        places = _axes_for(in_axes, xs)
    n = length
    for x, a in zip(leaves, places):
        if a is not None and not _t.is_unknown(x):
            n = x.shape[a]
            break
    lift = _lift_of(module, axes, n, None, names)
    making = module.scope.root.making
    layers = not making and any([isinstance(a, int) for a in axes.values()])
    trips = 1 if making or n > lax.UNROLL else n
    if trips != n and not making:
        def body(i, c):
            lift.index = binary("subtract", n - 1, i) if reverse else i
            part = [x if a is None else _take(x, a, lift.index) for x, a in zip(leaves, places)]
            return method(module, c, *_tree.unflatten(tree, part))
        done = lax.long_loop(n, carry, body)
        if done is not None:
            carry, ys = done
            if reverse:
                ys = _tree.map(lambda y: _c.reverse(y, [0]), ys)
            if isinstance(out_axes, int) and out_axes != 0:
                ys = _tree.map(lambda y: _c.moveaxis(y, 0, out_axes), ys)
            return carry, ys
        _t.record("loop", trips=n)
        _t.note("a scan of " + str(n) + " layers is traced as one")
    rows = []
    for k in range(trips):
        i = n - 1 - k if reverse else k
        lift.index = i
        with lax.iteration(k, layers):
            part = [x if a is None else _take(x, a, i) for x, a in zip(leaves, places)]
            carry, y = method(module, carry, *_tree.unflatten(tree, part))
        rows.append(y)
    if reverse:
        rows = rows[::-1]
    if trips != n:
        ys = _tree.map(lambda y: _c.broadcast_to(_c.expand_dims(y, 0),
                                                 [n] + list(_c.as_array(y).shape)), rows[0])
    else:
        ys = lax.stack_trees(rows)
    if isinstance(out_axes, int) and out_axes != 0:
        ys = _tree.map(lambda y: _c.moveaxis(y, 0, out_axes), ys)
    return carry, ys


def vmap(target, variable_axes=None, split_rngs=None, in_axes=0, out_axes=0, axis_size=None,
         axis_name=None, spmd_axis_name=None, metadata_params=None, methods=None, **ignored):
    axes = dict(variable_axes or {})

    def make(method):
        def run(self, *args, **kw):
            return _mapped(method, self, args, kw, axes, in_axes, out_axes, axis_size, axis_name,
                           metadata_params)
        return run
    if _is_class(target):
        return _lifted_class(target, "Vmap", methods, make)
    return _like(make(_plain(target)), target)


def _mapped(method, module, args, kw, axes, in_axes, out_axes, size, axis_name, names):
    leaves, tree = _tree.flatten(args)
    if isinstance(in_axes, (tuple, list)):
        places = []
        for a, x in zip(in_axes, args):
            places += _axes_for(a, x)
    else:
        places = _axes_for(in_axes, args)
    n = _tr._size_of(leaves, places) or size
    level = _tr.new_level(n, axis_name)
    _lift_of(module, axes, n, level, names)
    leaves = [x if a is None else _tr._push(x, a, level) for x, a in zip(leaves, places)]
    try:
        out = method(module, *_tree.unflatten(tree, leaves), **kw)
    finally:
        _tr.end_level(axis_name)
    outs, out_tree = _tree.flatten(out)
    return _tree.unflatten(out_tree, [
        _tr._pop(x, a, level, n) for x, a in zip(outs, _axes_for(out_axes, out))])


def _policy_word(policy):
    from jax._transforms import policy_word
    return policy_word(policy)


def remat(target, variables=True, rngs=True, concrete=False, prevent_cse=True, static_argnums=(),
          policy=None, methods=None, **ignored):
    def make(method):
        def run(self, *args, **kw):
            if not self.scope.root.making:
                _t.record("remat", policy=_policy_word(policy))
            return method(self, *args, **kw)
        run._compact = getattr(method, "_compact", False)
        return run
    if _is_class(target):
        return _lifted_class(target, "Checkpoint", methods, make)
    return _like(make(_plain(target)), target)


checkpoint = remat


def jit(target, *args, methods=None, **ignored):
    if _is_class(target):
        return _lifted_class(target, "Jit", methods, lambda method: (
            lambda self, *a, **k: method(self, *a, **k)))
    return target


def named_call(target, force=True):
    return target


def add_metadata_axis(target, variable_axes=None, metadata_params=None):
    return target


def map_variables(target, mapped_collections, trans_in_fn=lambda v: v, trans_out_fn=lambda v: v,
                  init=False, mutable=False, rngs=True, variables=True, methods=None):
    return target


def while_loop(cond_fn, body_fn, module, init, **kw):
    return body_fn(module, init)


def cond(pred, true_fun, false_fun, module, *operands, **kw):
    return lax.cond(pred, lambda *a: true_fun(module, *a), lambda *a: false_fun(module, *a),
                    *operands)


def switch(index, branches, module, *operands, **kw):
    return lax.switch(index, [lambda *a, f=f: f(module, *a) for f in branches], *operands)


def grad(fn, module, *primals, has_aux=False, **kw):
    return value_and_grad(fn, module, *primals, has_aux=has_aux)[1]


def value_and_grad(fn, module, *primals, has_aux=False, **kw):
    return _tr.value_and_grad(lambda *a: fn(module, *a), tuple(range(len(primals))),
                              has_aux)(*primals)


def vjp(fn, module, *primals, has_aux=False, **kw):
    return _tr.vjp(lambda *a: fn(module, *a), *primals, has_aux=has_aux)


def jvp(fn, module, primals, tangents, variable_tangents=None, **kw):
    return _tr.jvp(lambda *a: fn(module, *a), primals, tangents)


def custom_vjp(fn, forward_fn, backward_fn, grad_vars="params", nondiff_argnums=()):
    return fn
