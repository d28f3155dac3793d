"""What Horovod's modules for the frameworks share."""

import _tilewise as _t

_said = []


def init(*args, **kwargs):
    if not _said:
        _said.append(True)
        _t.note("Horovod runs the program on each worker; one worker is read")


def one(*args, **kwargs):
    return 1


def zero(*args, **kwargs):
    return 0


def yes(*args, **kwargs):
    return True


def no(*args, **kwargs):
    return False


def same(value, *args, **kwargs):
    return value


def none(*args, **kwargs):
    return None
