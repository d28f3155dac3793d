"""Arrays in files: nothing is written or read."""

import _tilewise as _t


class GlobalAsyncCheckpointManager:
    def __init__(self, *args, **kw):
        pass

    def serialize(self, *args, **kw):
        return None

    def deserialize(self, *args, **kw):
        return _t.unknown("what a checkpoint holds")

    def wait_until_finished(self):
        return None


def get_tensorstore_spec(path, *args, **kw):
    return {}


def run_serialization(*args, **kw):
    return None


def run_deserialization(*args, **kw):
    return _t.unknown("what a checkpoint holds")
