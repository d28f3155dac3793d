"""Files inside packages."""


def _base(package):
    from pathlib import Path
    name = package if isinstance(package, str) else package.__name__
    return Path(name.replace(".", "/"))


def files(package):
    return _base(package)


def read_text(package, resource, **kwargs):
    return (_base(package) / resource).read_text()


def open_text(package, resource, **kwargs):
    return (_base(package) / resource).open()


def path(package, resource):
    from contextlib import nullcontext
    return nullcontext(_base(package) / resource)


def as_file(where):
    from contextlib import nullcontext
    return nullcontext(where)
