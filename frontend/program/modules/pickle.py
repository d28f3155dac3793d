"""Pickles: what is in them is unknown."""

HIGHEST_PROTOCOL = DEFAULT_PROTOCOL = 5


class PickleError(Exception):
    pass


class PicklingError(PickleError):
    pass


class UnpicklingError(PickleError):
    pass


def dump(obj, file, *args, **kwargs):
    pass


def dumps(obj, *args, **kwargs):
    return _Bytes(obj)


class _Bytes:
    def __init__(self, obj):
        self._obj = obj


def load(file, *args, **kwargs):
    import _tilewise
    name = getattr(file, "name", None)
    if isinstance(name, str):
        from _tilewise_files import pickled
        made = pickled(name)
        if made is None:
            from _tilewise_graphs import pickled as graph
            made = graph(name)
        if made is not None:
            return made
    return _tilewise.unknown("the contents of a pickle file")


def loads(data, *args, **kwargs):
    if isinstance(data, _Bytes):
        import copy
        return copy.deepcopy(data._obj)
    return load(data)


class Pickler:
    def __init__(self, file, *args, **kwargs):
        pass

    def dump(self, obj):
        pass


class Unpickler:
    def __init__(self, file, *args, **kwargs):
        self._file = file

    def load(self):
        return load(self._file)


_Unpickler = Unpickler
