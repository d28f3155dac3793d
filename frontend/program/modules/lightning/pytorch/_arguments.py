"""Arguments of a constructor on the command line, as Lightning 1 has them."""

import typing

import _python


def _truth(text):
    return text.lower() in ("1", "true", "yes", "y", "on")


def _named(cls):
    rows = _python.signature(cls.__init__)
    return [row for row in rows if row[0] != "self" and not row[1].startswith("var_")]


def _plain_type(form):
    """The type of an argument as a command line has it; None: it takes no such argument."""
    kinds = typing.get_args(form) or (form,)
    for kind in (bool, str, int, float):
        if kind in kinds:
            return _truth if kind is bool else kind
    return None


class FromArguments:
    @classmethod
    def add_argparse_args(cls, parent_parser, **kwargs):
        forms = cls.__init__.__annotations__
        for name, kind, has_default, default in _named(cls):
            # The trainer here has no annotations: what it takes is known by its defaults.
            as_type = _plain_type(forms.get(name) if forms else type(default))
            if as_type is not None or not forms:
                parent_parser.add_argument(
                    "--" + name, default=default if has_default else None, type=as_type)
        return parent_parser

    @classmethod
    def from_argparse_args(cls, args, **kwargs):
        names = [row[0] for row in _named(cls)]
        given = {k: v for k, v in vars(args).items() if k in names}
        given.update(kwargs)
        return cls(**given)

    @classmethod
    def parse_argparser(cls, arg_parser):
        return arg_parser if not hasattr(arg_parser, "parse_args") else arg_parser.parse_args()
