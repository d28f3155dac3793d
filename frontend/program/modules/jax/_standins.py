"""What stands for data that nobody has, where a program is read again: inputs of the shapes that
its model was made with, targets of the shape of what they are compared with."""

import _tilewise as _t
from _tilewise_named_batch import stated as stated_batch
from jax import _core as _c
from jax import _replay
from jax import _tree

_INPUTS = {}  # what each model was made with, by its kind
_said = []


def initialised(kind, args, kw):
    _INPUTS[kind] = (args, kw)


def inputs_of(kind, args, kw):
    """Arguments of a model, those that are not known as it was made with them."""
    own = _INPUTS.get(kind)
    if own is None or not (_lacks(args) or _lacks(kw)) or not _t.stands_in(_first(args, kw)):
        return args, kw
    shapes = [x.shape for x in _tree.leaves(own) if hasattr(x, "shape") and x.shape]
    ranks = [len(shape) for shape in shapes]
    # Where one of several dims is the examples', those of others that are as large are as well.
    leading = [shape[0] for shape in shapes if len(shape) == max(ranks) > 1] + [1]
    if ranks and max(ranks) == 1 and shapes[0][0] > 1:
        leading = None  # it was made with one example

    def fill(tree, as_made):
        return _filled(tree, as_made, leading)
    args = tuple([fill(x, own[0][i]) if i < len(own[0]) else x for i, x in enumerate(args)])
    return args, {k: fill(v, own[1][k]) if k in own[1] else v for k, v in kw.items()}


def like(x, shape, d, levels=()):
    """`x`; where it is not known and a loss needs it, data of that shape."""
    if not _t.is_unknown(x) or not _replay.GRADIENTS[0] or not _t.stands_in(x):
        return x
    _say("data that are not known are taken to have the shape of what they are combined with")
    return _c.new(_t.input(_c.sizes_of(levels) + list(shape), d.short, "", None), levels)


def _plain(tree):
    return isinstance(tree, dict) or hasattr(tree, "keys") and hasattr(tree, "items")


def _lacks(tree):
    if _t.is_unknown(tree):
        return True
    if isinstance(tree, _c.Array):
        return False
    if _plain(tree):
        return any([_lacks(x) for x in tree.values()])
    return isinstance(tree, (list, tuple)) and any([_lacks(x) for x in tree])


def _first(*trees):
    """The first part that is not known."""
    for tree in trees:
        if _t.is_unknown(tree):
            return tree
        parts = tree.values() if _plain(tree) else tree if isinstance(tree, (list, tuple)) else ()
        for x in parts:
            if _lacks(x):
                return _first(x)
    return None


def _filled(tree, own, leading):
    if _t.is_unknown(tree):
        return _tree.map(lambda x: _input(x, leading), own)
    if isinstance(tree, _c.Array):
        return tree
    if _plain(tree) and _plain(own):
        return {k: _filled(v, own[k], leading) if k in own else v for k, v in tree.items()}
    if isinstance(tree, (list, tuple)) and isinstance(own, (list, tuple)) and \
            len(tree) == len(own):
        parts = [_filled(a, b, leading) for a, b in zip(tree, own)]
        return parts if isinstance(tree, list) else tuple(parts)
    return tree


def _input(x, leading):
    if not hasattr(x, "shape") or not hasattr(x, "dtype") or isinstance(x, _c.Key):
        return x
    from jax import _batch
    shape, d, made = list(x.shape), _c.dtype(x.dtype), "the data of the model are not known; " \
        "they are taken to have the shape that it is made with"
    levels = tuple(_batch.LEVELS)
    if levels:  # it is given one example, which vmap maps
        _say(made)
        return _c.new(_t.input(_c.sizes_of(levels) + shape, d.short, "", 0), levels)
    if not shape or leading is not None and shape[0] not in leading:
        return _c.fed(shape, d, None)
    name, size = stated_batch(_batch.MAPPED[0] > 0)
    if leading is None:
        if size is None:
            return _c.fed(shape, d, None)
        shape = [1] + shape
    if size is None:
        _say(made + ", and its batch of " + str(shape[0]))
        return _c.fed(shape, d, 0)
    _batch.stated(size)
    _say(made + ", and a batch of " + str(size) + ", as " + name + " says")
    return _c.fed([size] + shape[1:], d, 0)


def mapped_size(leaves):
    """How many examples vmap maps where it is given what is not known; None: it is known."""
    unknown = [x for x in leaves if _t.is_unknown(x)]
    if not unknown or not _t.stands_in(unknown[0]):
        return None
    from jax import _batch
    name, size = stated_batch(_batch.MAPPED[0] > 0)
    if size is not None:
        _batch.stated(size)
        _say("a function is mapped over data that are not known; " + str(size) + " examples are "
             "taken, as " + name + " says")
    return size


def _say(text):
    if text not in _said:
        _said.append(text)
        _t.note(text)
