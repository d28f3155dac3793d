"""tf.app."""

from absl import flags
from absl.app import run as _run


def run(main=None, argv=None):
    if main is None:
        import sys
        main = sys.modules["__main__"].main
    return _run(main, argv)
