"""absl.app."""

import sys

from absl import flags


class Error(Exception):
    pass


class UsageError(Error):
    pass


def run(main, argv=None, flags_parser=None):
    args = list(sys.argv if argv is None else argv)
    rest = flags.FLAGS(args) if flags_parser is None else flags_parser(args)
    main(rest)


def call_after_init(callback):
    callback()


def parse_flags_with_usage(args):
    return flags.FLAGS(args)


def usage(*args, **kw):
    return None
