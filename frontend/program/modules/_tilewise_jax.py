"""One forward pass of a JAX model that was asked for by name.

`trace(model, inputs)` serves modules of flax.linen and flax.nnx and their classes, modules of
haiku and functions that make them, what hk.transform gives, pairs of stax, and plain functions.
`inputs` are (sizes of one example, type) pairs.
"""

import _tilewise as _t
from jax import _core as _c
from jax import _transforms as _tr
from jax import _tree
from jax._core import Key

# Arguments that a model may ask for, as an evaluation gives them.
FLAGS = {"train": False, "training": False, "is_training": False, "deterministic": True,
         "is_train": False, "use_running_average": True, "eval": True, "enable_dropout": False,
         "mode": "eval", "test_local_stats": False, "rng": None, "key": None, "mask": None}


def _is_random(name):
    return name in ("rng", "key") or name.endswith("_rng") or name.endswith("_key")


def _called(f, *args):
    """`f(*args)`, with the flags that it turns out to need."""
    kw = {}
    for _ in range(5):
        try:
            return f(*args, **kw)
        except TypeError as e:
            text = str(e)
            more = [n for n in text.split("'")[1::2]
                    if (n in FLAGS or _is_random(n)) and n not in kw]
            if "'rngs'" in text and "rngs" not in kw:
                from flax import nnx
                kw["rngs"] = nnx.Rngs(0)
                continue
            if not more or "unexpected" in text:
                raise
            for n in more:
                kw[n] = Key(()) if _is_random(n) else FLAGS[n]
    return f(*args, **kw)


def _result(out):
    handles = [v._h for v in _tree.leaves(out) if isinstance(v, _c.Array) and not v._b]
    if handles:
        _t.record("result", value=handles)
    return out


def _linen(model, arrays):
    rngs = {"params": Key(()), "dropout": Key(()), "default": Key(())}
    ones = [_c.full(1, (1,) + tuple(a.shape[1:]), a.dtype) for a in arrays]
    variables = _called(lambda *x, **kw: model.init(rngs, *x, **kw), *ones)

    def run(*x, **kw):
        out = model.apply(variables, *x, rngs=rngs, mutable=["batch_stats", "cache"], **kw)
        return out[0]
    return _called(run, *arrays)


def _nnx(model, arrays):
    from flax.nnx._graph import note_model
    note_model(model)
    model.eval()
    return _called(model, *arrays)


def _pair(model, arrays):
    made = _called(lambda *x, **kw: model.init(Key(()), *x, **kw), *arrays)
    stateful = type(model).__name__ == "TransformedWithState"
    parts = list(made) if stateful else [made]
    rng = [] if getattr(model.apply, "_no_rng", False) else [Key(())]
    out = _called(lambda *x, **kw: model.apply(*parts, *rng, *x, **kw), *arrays)
    return out[0] if stateful else out


def _stax(model, arrays):
    shape, params = model[0](Key(()), tuple(arrays[0].shape))
    pairs, tree = _tree.flatten_with_path(params)
    leaves = [_tr._leaf_weight(v, p, False) for p, v in pairs]
    _t.record("model", name="stax", parameters=[v._h for v in leaves], buffers=[])
    return model[1](_tree.unflatten(tree, leaves), arrays[0], rng=Key(()))


def _in_haiku(function, arrays):
    import haiku as hk
    return _pair(hk.transform_with_state(function), arrays)


def _is_haiku(x):
    cls = x if isinstance(x, type) else type(x)
    from haiku import Module
    return issubclass(cls, Module)


def trace(model, inputs):
    from flax import linen, nnx
    arrays = []
    for dims, d in inputs:
        code = _c.dtype(d).short
        arrays.append(_c.new(_t.input([2] + list(dims), code, "input")))
    if isinstance(model, type) and issubclass(model, (linen.Module, nnx.Module)):
        model = _called(model)
    if isinstance(model, linen.Module):
        return _result(_linen(model, arrays))
    if isinstance(model, nnx.Module):
        return _result(_nnx(model, arrays))
    if _is_haiku(model):
        if isinstance(model, type):
            cls, args, kw = model, (), {}
        else:
            cls = type(model)
            args, kw = model.__dict__.get("_deferred", ((), {}))
        return _result(_in_haiku(lambda *x, **f: cls(*args, **kw)(*x, **f), arrays))
    if hasattr(model, "init") and hasattr(model, "apply"):
        return _result(_pair(model, arrays))
    if isinstance(model, tuple) and len(model) == 2 and callable(model[0]):
        return _result(_stax(model, arrays))
    if not callable(model):
        return _t.unknown("a model of a kind that is not known")
    try:
        out = _called(model, *arrays)
    except ValueError as e:
        if "hk.transform" not in str(e):
            raise
        return _result(_in_haiku(model, arrays))
    return _result(out)
