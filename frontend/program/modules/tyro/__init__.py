"""tyro: command lines from dataclasses and functions; each value is its default."""

import dataclasses

import _python
from . import conf, extras

MISSING = dataclasses.MISSING


def _flags(args):
    import sys
    given, name = {}, None
    for word in sys.argv[1:] if args is None else args:
        if word[:2] == "--":
            name, sign, value = word[2:].partition("=")
            name = name.replace("-", "_")
            given[name] = value if sign else "True"
            if name[:3] == "no_" and not sign:
                given[name[3:]] = "False"
        elif name is not None:
            given[name], name = word, None
    return given


def _as(kind, text):
    if kind is bool or text in ("True", "False"):
        return text == "True"
    if kind in (int, float, str):
        return kind(text)
    for number in (int, float):
        try:
            return number(text)
        except ValueError:
            pass
    return text


def _default(field):
    if field.default is not MISSING:
        return field.default
    if field.default_factory is not MISSING:
        return field.default_factory()
    return MISSING


def _made(cls, given, prefix, default):
    values = {}
    for f in dataclasses.fields(cls):
        if not f.init:
            continue
        name = prefix + f.name
        value = getattr(default, f.name) if default is not None else _default(f)
        if name in given:
            value = _as(f.type, given[name])
        elif isinstance(f.type, type) and dataclasses.is_dataclass(f.type):
            value = _made(f.type, given, name + ".", None if value is MISSING else value)
        elif value is MISSING:
            import _tilewise
            value = _tilewise.unknown("--" + name + ", which must be given")
        values[f.name] = value
    return cls(**values)


def _filled(cls, tree):
    """A dataclass of what a file says of its fields."""
    values = {}
    for f in dataclasses.fields(cls):
        if f.name in tree:
            within = isinstance(f.type, type) and dataclasses.is_dataclass(f.type)
            value = tree[f.name]
            values[f.name] = _filled(f.type, value) if within else value
    return cls(**values)


def from_yaml(cls, stream):
    import re
    import yaml
    text = stream if isinstance(stream, str) else stream.read()
    tree = yaml.safe_load(re.sub(r"!\w+:\S+", "", text))
    return _filled(cls, tree) if isinstance(tree, dict) else tree


def _places(args):
    """The words before the first flag."""
    import sys
    words = list(sys.argv[1:] if args is None else args)
    flags = [i for i, word in enumerate(words) if word[:2] == "--"]
    return words[:flags[0]] if flags else words


def _read(kind, word):
    """An argument by its place; those of an enum are named, or have that value."""
    import enum
    if isinstance(kind, type) and issubclass(kind, enum.Enum):
        return [m for m in kind if word in (m.name, m.value)][0]
    return _as(kind, word)


def _assumed(name, kind):
    """A value for what must be given: of an enum or a list of values the first."""
    import enum
    from _tilewise_arguments import assumed
    if isinstance(kind, type) and issubclass(kind, enum.Enum):
        return list(kind)[0]
    return assumed("--" + name, name, kind)


def cli(f, prog=None, description=None, args=None, default=None, return_unknown_args=False,
        **options):
    given = _flags(args)
    if isinstance(f, type) and dataclasses.is_dataclass(f):
        made = _made(f, given, "", default)
    else:
        named, placed, words = {}, [], _places(args)
        for name, kind, has_default, _ in _python.signature(f):
            if kind == "positional_only" and not has_default:
                hint = getattr(f, "__annotations__", {}).get(name)
                given_word = words[len(placed):len(placed) + 1]
                placed.append(_read(hint, given_word[0]) if given_word else _assumed(name, hint))
            elif name in given:
                named[name] = _as(None, given[name])
            elif not has_default and kind not in ("var_positional", "var_keyword"):
                named[name] = _assumed(name, getattr(f, "__annotations__", {}).get(name))
        made = f(*placed, **named)
    return (made, []) if return_unknown_args else made
