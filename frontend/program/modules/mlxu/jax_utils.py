"""mlxu.jax_utils: random keys that are asked for by name, and trees whose leaves have names."""

import random

import jax
import jax.numpy as jnp
import numpy as np


class JaxRNG:
    """A key that is split anew at each call."""

    global_rng_generator = None

    @classmethod
    def from_seed(cls, seed):
        return cls(jax.random.PRNGKey(seed))

    def __init__(self, rng):
        self.rng = rng

    def __call__(self, keys=None):
        n = 1 if keys is None else keys if isinstance(keys, int) else len(keys)
        self.rng, *parts = jax.random.split(self.rng, n + 1)
        if keys is None:
            return parts[0]
        return tuple(parts) if isinstance(keys, int) else dict(zip(keys, parts))

    @classmethod
    def init_global_rng(cls, seed):
        cls.global_rng_generator = cls.from_seed(seed)

    @classmethod
    def next_rng(cls, *args, **kwargs):
        return cls.global_rng_generator(*args, **kwargs)


def init_rng(seed):
    JaxRNG.init_global_rng(seed)


def next_rng(*args, **kwargs):
    return JaxRNG.next_rng(*args, **kwargs)


def set_random_seed(seed):
    np.random.seed(seed)
    random.seed(seed)
    init_rng(seed)


def wrap_function_with_rng(rng):
    generator = JaxRNG(rng)
    return lambda function: lambda *args, **kw: function(generator(), *args, **kw)


def tree_path_to_string(path, sep=None):
    names = []
    for key in path:
        for field in ("key", "name", "idx"):
            if hasattr(key, field):
                key = getattr(key, field)
                break
        names.append(str(key))
    return tuple(names) if sep is None else sep.join(names)


def flatten_tree(xs, is_leaf=None, sep=None):
    leaves, _ = jax.tree_util.tree_flatten_with_path(xs, is_leaf=is_leaf)
    return {tree_path_to_string(path, sep): leaf for path, leaf in leaves}


def named_tree_map(f, tree, *rest, is_leaf=None, sep=None):
    return jax.tree_util.tree_map_with_path(
        lambda path, *leaves: f(tree_path_to_string(path, sep), *leaves), tree, *rest,
        is_leaf=is_leaf)


def get_pytree_shape_info(tree):
    return "\n".join([name + ": " + str(leaf.dtype) + ", " + str(leaf.shape)
                      for name, leaf in sorted(flatten_tree(tree, sep="/").items())])


def collect_metrics(metrics, names, prefix=None):
    begin = "" if prefix is None else prefix + "/"
    return {begin + name: jnp.mean(metrics[name]) for name in names if name in metrics}
