"""absl.app."""

import sys

from absl import flags


class Error(Exception):
    pass


class UsageError(Error):
    pass


def tried(main, *args):
    """main(), again where a flag that was not given ended it."""
    for _ in range(8):
        try:
            return main(*args)
        except (UsageError, ValueError):
            # What a program complains about is mostly the flag that it looked at last.
            if not flags.assume_last():
                raise


def run(main, argv=None, flags_parser=None):
    args = list(sys.argv if argv is None else argv)
    rest = flags.FLAGS(args) if flags_parser is None else flags_parser(args)
    tried(main, rest)


def call_after_init(callback):
    callback()


def parse_flags_with_usage(args):
    return flags.FLAGS(args)


def usage(*args, **kw):
    return None
