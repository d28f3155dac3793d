"""Which weights make up the model that is trained, where a program makes several."""

import _tilewise as _t
from jax import _core as _c

_RECORDED = []  # (name, parameters, buffers) of each model that was made, as arrays
_OWNER = {}  # by identity of an array: the place of its model
_TREES = []  # the weights of the model that was made last, as its program holds them
_last = [()]  # places of the models that the last record is about


def _say(places, loose=()):
    names, parameters, buffers = [], [], []
    for i in places:
        name, own, others = _RECORDED[i]
        names.append(name)
        parameters += own
        buffers += others
    _last[0] = tuple(places)
    _t.record("model", name="+".join(names),
              parameters=[x._h for x in parameters] + [x._h for x in loose],
              buffers=[x._h for x in buffers])


def note(name, parameters, buffers):
    """A model was made of these arrays."""
    place = len(_RECORDED)
    _RECORDED.append((name, list(parameters), list(buffers)))
    for x in _RECORDED[place][1]:
        _OWNER[id(x)] = place
    _say((place,))


def trained(watched):
    """Gradients of these arrays are taken: their models are what the report is about."""
    places, loose = [], []
    for x in watched:
        x = x if x._src is None else x._src
        place = _OWNER.get(id(x))
        if place is not None:
            if place not in places:
                places.append(place)
        elif not isinstance(x, _c.Key) and _t.is_weight(x._h):
            loose.append(x)
    if places and (tuple(places) != _last[0] or loose):
        _say(places, loose)
        if loose:
            _last[0] = ()


def made(tree):
    """`tree` holds the weights of the model that was made last."""
    _TREES[:] = [tree]


def _plain(tree):
    return isinstance(tree, dict) or hasattr(tree, "items") and hasattr(tree, "keys")


def _lacks(tree):
    """Whether something in a tree of dicts is not known."""
    if _t.is_unknown(tree):
        return True
    if not _plain(tree):
        return False
    return _t.open_reason(tree) is not None or any([_lacks(v) for v in tree.values()])


def _filled(tree, own):
    if _t.is_unknown(tree):
        return own
    if not _plain(tree) or not _plain(own):
        return tree
    out = {k: _filled(tree[k], v) if k in tree else v for k, v in own.items()}
    return out


def known(tree):
    """`tree`; where files decide what it holds, the weights that its model began with."""
    if not _TREES or isinstance(tree, _c.Array) or not _lacks(tree):
        return tree
    own = _TREES[0]
    if _plain(tree) and not _t.is_unknown(tree):
        if len(tree) > 0 and all([k == "params" for k in tree]):
            own = {"params": own}
        if any([k not in own for k in tree]):
            return tree
    _t.note("weights that a file holds are not known; those that the model began with are taken")
    return _filled(tree, own)


def flat():
    """The weights of the model that was made last, each by its path; None without a model."""
    if not _TREES or not _plain(_TREES[0]):
        return None
    found = {}

    def walk(tree, path):
        for k, v in tree.items():
            if _plain(v):
                walk(v, path + (str(k),))
            else:
                found["/".join(path + (str(k),))] = v
    walk(_TREES[0], ())
    return found
