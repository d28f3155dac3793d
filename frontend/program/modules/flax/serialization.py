"""flax.serialization: what comes from a file is not known."""

import _tilewise as _t


def to_bytes(target):
    return b""


def from_bytes(target, encoded):
    return target


def to_state_dict(target, **kw):
    return target


def from_state_dict(target, state, name="."):
    return target


def msgpack_serialize(x, **kw):
    return b""


def msgpack_restore(x):
    return _t.unknown("what a file holds")


def register_serialization_state(*args, **kw):
    return None
