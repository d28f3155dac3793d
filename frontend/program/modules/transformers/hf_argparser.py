"""Data classes filled from a command line."""

import argparse
import dataclasses
import sys
import typing

import _tilewise


def HfArg(*, aliases=None, help=None, default=dataclasses.MISSING,
          default_factory=dataclasses.MISSING, metadata=None, **kwargs):
    return dataclasses.field(metadata=metadata, default=default, default_factory=default_factory,
                             **kwargs)


_BY_NAME = {"int": int, "float": float, "str": str, "bool": bool}


def _kind(kind, default):
    """(type, whether it is a list) of an annotation; where it is not known, of the default."""
    if _tilewise.is_unknown(kind):
        if isinstance(default, (list, tuple)):
            return None, True
        return None if default is None else _of_value(default), False
    if isinstance(kind, str):
        text = kind.replace("typing.", "").replace("Optional[", "").rstrip("]")
        many = text.startswith(("List[", "list["))
        text = text.split("[")[-1].split("|")[0].strip()
        return _BY_NAME.get(text.split(",")[0], _of_value(default)), many
    if isinstance(kind, type):
        if kind in (int, float, str, bool):
            return kind, False
        return (str, True) if kind in (list, tuple) else (_of_value(default), False)
    origin, args = typing.get_origin(kind), typing.get_args(kind)
    if origin in (list, tuple):
        return (_kind(args[0], None)[0] if args else str), True
    rest = [a for a in args if a is not None and a is not type(None)]
    if len(rest) == 1:
        return _kind(rest[0], default)
    if bool in rest:
        return _of_value(default) if default is not None else str, False
    if not rest:
        return _of_value(default), False
    one = [k for k in (float, int, str) if k in rest]
    return (one[0] if len(one) == 1 else str), False


def _of_value(value):
    for kind in (bool, int, float):
        if isinstance(value, kind):
            return kind
    return str


def string_to_bool(v):
    return v if isinstance(v, bool) else str(v).lower() in ("yes", "true", "t", "y", "1")


def _guessed(text):
    """Of an argument whose type is not known."""
    if text in ("True", "False"):
        return text == "True"
    digits = text.lstrip("-").replace(".", "", 1)
    if digits.isdigit() or "e" in digits and digits.replace("e-", "", 1).isdigit():
        return float(text) if "." in text or "e" in text else int(text)
    return text


def _value(text, kind):
    if kind is None:
        return _guessed(text)
    if kind is bool:
        return string_to_bool(text)
    if kind is int:
        return int(text)
    if kind is float:
        return float(text)
    return text


class HfArgumentParser(argparse.ArgumentParser):
    def __init__(self, dataclass_types=None, **kwargs):
        argparse.ArgumentParser.__init__(self)
        if dataclass_types is None:
            dataclass_types = []
        elif not isinstance(dataclass_types, (list, tuple)) and \
                not hasattr(dataclass_types, "__next__"):
            dataclass_types = [dataclass_types]
        self.dataclass_types = list(dataclass_types)

    def parse_args_into_dataclasses(self, args=None, return_remaining_strings=False,
                                    look_for_args_file=True, args_filename=None,
                                    args_file_flag=None):
        words = list(sys.argv[1:] if args is None else args)
        given, rest = self._given(words)
        made = [self._fill(kind, given) for kind in self.dataclass_types]
        if return_remaining_strings:
            return tuple(made) + (rest,)
        return tuple(made)

    def _given(self, words):
        table = {}
        for kind in self.dataclass_types:
            for f in dataclasses.fields(kind):
                if f.init:
                    table[f.name] = f
        given, rest, i = {}, [], 0
        while i < len(words):
            word = words[i]
            i += 1
            name, _, text = word.lstrip("-").partition("=")
            name = name.replace("-", "_")
            off = False
            if name not in table and name[:3] == "no_" and name[3:] in table:
                name, off = name[3:], True
            if not word.startswith("--") or name not in table:
                rest.append(word)
                continue
            f = table[name]
            kind, many = _kind(f.type, None if f.default is dataclasses.MISSING else f.default)
            values = [text] if "=" in word else []
            while not values or many:
                if i >= len(words) or words[i].startswith("--"):
                    break
                values.append(words[i])
                i += 1
            if many:
                given[name] = [_value(v, kind) for v in values]
            elif values:
                given[name] = _value(values[0], kind)
            else:
                given[name] = not off
        return given, rest

    def _fill(self, kind, given):
        names = {}
        for f in dataclasses.fields(kind):
            if not f.init:
                continue
            if f.name in given:
                names[f.name] = given[f.name]
            elif f.default is dataclasses.MISSING and \
                    f.default_factory is dataclasses.MISSING:
                names[f.name] = _tilewise.unknown("--" + f.name + ", which the command line gives")
        return kind(**names)

    def parse_known_args(self, args=None, namespace=None, _fresh=False):
        given, rest = self._given(list(sys.argv[1:] if args is None else args))
        namespace, rest = argparse.ArgumentParser.parse_known_args(self, rest, namespace, _fresh)
        for kind in self.dataclass_types:
            for f in dataclasses.fields(kind):
                if not f.init:
                    continue
                otherwise = f.default
                if otherwise is dataclasses.MISSING:
                    otherwise = None if f.default_factory is dataclasses.MISSING \
                        else f.default_factory()
                setattr(namespace, f.name, given.get(f.name, otherwise))
        return namespace, rest

    def parse_dict(self, args, allow_extra_keys=False):
        return tuple([self._fill(kind, args) for kind in self.dataclass_types])

    def _file(self, path, read):
        import _python
        text = _python.read_file(str(path))
        if text is None:
            values = {}
            _tilewise.note("the arguments in " + str(path) + " are not known")
        else:
            values = read(text)
        return self.parse_dict(values)

    def parse_json_file(self, json_file, allow_extra_keys=False):
        import json
        return self._file(json_file, json.loads)

    def parse_yaml_file(self, yaml_file, allow_extra_keys=False):
        import _python
        return self._file(yaml_file, _python.yaml)
