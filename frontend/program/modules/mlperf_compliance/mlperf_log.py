"""Tags and functions that write logs: any name is both a tag and a call without effect."""


class _Tag(str):
    def __call__(self, *args, **kw):
        return None


def __getattr__(name):
    if name[:2] == "__":
        raise AttributeError(name)
    return _Tag(name)
