"""tf.profiler."""

from tensorflow._control import context
from tensorflow.config import _nothing


class experimental:
    start = stop = staticmethod(_nothing)
    Trace = Profile = context

    class ProfilerOptions:
        def __init__(self, **options):
            pass

    class client:
        trace = monitor = staticmethod(_nothing)

    class server:
        start = staticmethod(_nothing)


def __getattr__(name):
    from tensorflow._public import _older
    return _older("compat.v1.profiler", name)
