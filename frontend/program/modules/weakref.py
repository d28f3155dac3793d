"""References, which are all strong here."""

WeakValueDictionary = WeakKeyDictionary = dict
WeakSet = set


class ref:
    def __init__(self, thing, callback=None):
        self._thing = thing

    def __call__(self):
        return self._thing

    def __eq__(self, other):
        return isinstance(other, ref) and self._thing is other._thing

    def __hash__(self):
        return hash(self._thing)

    def __class_getitem__(cls, item):
        return cls


ReferenceType = WeakMethod = ref


def proxy(thing, callback=None):
    return thing


def finalize(thing, function, /, *args, **kwargs):
    return ref(thing)
