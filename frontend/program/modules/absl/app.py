"""absl.app."""

import sys

import _tilewise as _t

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
        except IndexError:
            # It takes words of the command line that are no flags: files, mostly.
            if not args or not isinstance(args[0], list) or len(args[0]) != 1:
                raise
            _t.note("the program's arguments are not given; /tmp/argument stands for one; give "
                    "them with -- ARGUMENT ..")
            args[0].append("/tmp/argument")
        except (UsageError, ValueError):
            # What a program complains about is mostly the flag that it looked at last.
            if not flags.assume_last():
                if _t.goes_on():
                    break
                raise
    return main(*args)  # what it raises now is not taken here


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
