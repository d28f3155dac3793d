"""Which weights make up the model that is trained, where a program makes several."""

import _tilewise as _t
from jax import _core as _c

_RECORDED = []  # (name, parameters, buffers) of each model that was made, as arrays
_OWNER = {}  # by identity of an array: the place of its model
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
