import dataclasses as _plain


def dataclass(cls=None, /, *, config=None, **kwargs):
    return _plain.dataclass(**kwargs)(cls) if cls is not None else _plain.dataclass(**kwargs)
