"""flax.training.common_utils."""

from jax import _tree
from jax import _core as _c


def shard(xs):
    import jax
    n = jax.local_device_count()
    return _tree.map(lambda x: _c.as_array(x).reshape((n, -1) + tuple(x.shape[1:])), xs)


def shard_prng_key(key):
    import jax
    return jax.random.split(key, jax.local_device_count())


def stack_forest(forest):
    return _tree.map(lambda *v: _c.stack(v, 0), forest[0], *forest[1:])


def get_metrics(metrics):
    from flax.jax_utils import unreplicate
    return stack_forest([unreplicate(m) for m in metrics])


def onehot(labels, num_classes, on_value=1.0, off_value=0.0):
    from jax.nn import one_hot
    x = one_hot(labels, num_classes)
    if on_value == 1.0 and off_value == 0.0:
        return x
    return x * (on_value - off_value) + off_value
