"""Files are not touched."""


def _target(src, dst=None, *args, **kwargs):
    return dst


copy = copy2 = copyfile = copytree = move = copyfileobj = copymode = copystat = _target


class Error(OSError):
    pass


def rmtree(path, *args, **kwargs):
    pass


def which(command, *args, **kwargs):
    return None


def make_archive(base, kind, *args, **kwargs):
    return f"{base}.{kind}"


unpack_archive = rmtree


def disk_usage(path):
    import _tilewise
    return _tilewise.unknown("the space on the disk")


def get_terminal_size(fallback=(80, 24)):
    from collections import namedtuple
    return namedtuple("terminal_size", "columns lines")(*fallback)
