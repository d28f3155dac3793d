"""flax.jax_utils."""

from jax import _models
from jax import _tree
from jax._transforms import replicated, first_of


def replicate(tree, devices=None):
    import jax
    n = len(devices) if devices is not None else jax.local_device_count()
    return _tree.map(lambda x: replicated(x, n), _models.known(tree))


def unreplicate(tree):
    return _tree.map(first_of, tree)


def prefetch_to_device(iterator, size, devices=None):
    from jax import _core
    for item in iterator:
        yield _tree.map(_core.as_array, item)


def pmean(xs, axis_name):
    from jax import lax
    return lax.pmean(xs, axis_name)


def partial_eval_by_shape(fn, input_spec, *args, **kw):
    import jax
    import jax.numpy as jnp
    xs = [jnp.zeros(*s) if isinstance(s, tuple) and s and isinstance(s[0], tuple)
          else jnp.zeros(s) for s in input_spec]
    return jax.eval_shape(fn, *xs, *args, **kw)


def pad_shard_unpad(wrapped, static_argnums=(0,), static_argnames=(), static_return=False):
    def run(*args, min_device_batch=None, **kw):
        import jax
        n = jax.local_device_count()
        out = []
        for i, a in enumerate(args):
            if i in static_argnums:
                out.append(a)
            else:
                out.append(_tree.map(lambda x: x.reshape((n, x.shape[0] // n) + tuple(x.shape[1:])),
                                     a))
        r = wrapped(*out, **kw)
        if static_return:
            return r
        return _tree.map(lambda x: x.reshape((-1,) + tuple(x.shape[2:])), r)
    return run


def scan_in_dim(body_fn, init, xs, axis=(0,), unroll=1, keepdims=False):
    from jax import lax
    return lax.scan(body_fn, init, xs)
