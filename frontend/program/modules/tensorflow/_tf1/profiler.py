"""tf.profiler of TensorFlow 1: what it would count is not known."""

import _tilewise as _t
from tensorflow._tf1.graph import Quiet


class Options(dict):
    pass


class ProfileOptionBuilder(Quiet):
    """Builders whose calls give themselves, and settings at the end."""

    def __getattr__(self, name):
        if name[:2] == "__":
            raise AttributeError(name)
        return lambda *args, **kw: Options() if name == "build" else self

    @staticmethod
    def trainable_variables_parameter():
        return Options()

    @staticmethod
    def float_operation():
        return Options()

    @staticmethod
    def time_and_memory(*args, **kw):
        return Options()


class _Counts:
    total_parameters = total_float_ops = total_requested_bytes = 0


def profile(*args, **kw):
    return _Counts()


class Profiler(Quiet):
    pass


def advise(*args, **kw):
    return _t.unknown("advice of a profiler")


def write_op_log(*args, **kw):
    return None
