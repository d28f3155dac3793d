"""Dictionaries whose keys are attributes."""


class EasyDict(dict):
    def __init__(self, d=None, **kwargs):
        super().__init__()
        for key, value in {**(d or {}), **kwargs}.items():
            self[key] = value

    def __setitem__(self, key, value):
        if type(value) is dict:
            value = type(self)(value)
        elif isinstance(value, (list, tuple)):
            value = type(value)([type(self)(v) if type(v) is dict else v for v in value])
        super().__setitem__(key, value)

    def __getattr__(self, name):
        if name in self:
            return self[name]
        raise AttributeError(name)

    def __setattr__(self, name, value):
        self[name] = value

    def __delattr__(self, name):
        del self[name]

    def update(self, other=None, **kwargs):
        for key, value in {**(other or {}), **kwargs}.items():
            self[key] = value
