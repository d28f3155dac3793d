"""Command lines from dataclasses."""

import _tilewise
import argparse
import dataclasses
from dataclasses import field

MISSING = dataclasses.MISSING


def _kind(hint):
    if _tilewise.is_unknown(hint):
        return str, None
    args = [a for a in getattr(hint, "__args__", ()) if a is not type(None)]
    origin = getattr(hint, "__origin__", None)
    if origin in (list, tuple):
        return (args[0] if args else str), "*"
    if args:
        return _kind(args[0])
    return hint, None


def _truth(text):
    return text.lower() in ("1", "true", "t", "yes", "y")


class ArgumentParser(argparse.ArgumentParser):
    def __init__(self, *args, **kwargs):
        super().__init__(*[a for a in args if isinstance(a, str)])
        self._wrapped = []

    def add_arguments(self, dataclass, dest, prefix="", default=None, **kwargs):
        import typing
        hints = typing.get_type_hints(dataclass)
        self._wrapped.append((dataclass, dest, prefix))
        for f in dataclasses.fields(dataclass):
            if not f.init:
                continue
            kind, nargs = _kind(hints.get(f.name, f.type))
            value = MISSING
            if default is not None:
                value = getattr(default, f.name)
            elif f.default is not MISSING:
                value = f.default
            elif f.default_factory is not MISSING:
                value = f.default_factory()
            if dataclasses.is_dataclass(kind):
                self.add_arguments(kind, f"{dest}.{f.name}", prefix,
                                   None if value is MISSING else value)
                continue
            options = {"dest": f"{dest}.{f.name}"}
            if value is MISSING:
                options["required"] = True
            else:
                options["default"] = value
            if kind is bool:
                options.update(type=_truth, nargs="?", const=True)
            elif callable(kind):
                options["type"] = kind
            if nargs is not None:
                options["nargs"] = nargs
            self.add_argument(f"--{prefix}{f.name}", **options)

    def parse_known_args(self, args=None, namespace=None, **kwargs):
        found, extras = super().parse_known_args(args, namespace)
        values = vars(found)
        for cls, dest, _ in reversed(self._wrapped):
            names = [f.name for f in dataclasses.fields(cls) if f.init]
            made = cls(**{n: values.pop(f"{dest}.{n}") for n in names if f"{dest}.{n}" in values})
            values[dest] = made
        return found, extras


def parse(config_class, args=None, default=None, dest="config", **kwargs):
    parser = ArgumentParser()
    parser.add_arguments(config_class, dest, default=default)
    return getattr(parser.parse_args(args), dest)


def choice(*choices, default=MISSING, **kwargs):
    return field(default=default)


def flag(default, **kwargs):
    return field(default=default)


def list_field(*values, **kwargs):
    return field(default_factory=lambda: list(values))


def subgroups(table, default=None, **kwargs):
    return field(default_factory=table[default])


mutable_field = dict_field = list_field


class Serializable:
    def to_dict(self):
        return dataclasses.asdict(self)
