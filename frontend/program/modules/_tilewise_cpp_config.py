"""Configuration files of C++ programs: yaml-cpp, nlohmann's JSON, toml11 and toml++."""

import json as _json
import toml as _toml
import yaml as _yaml

import _tilewise

_noted = []


def _default_of(value):
    if not _noted:
        _tilewise.note("what a configuration file holds is not known; its values have the defaults "
                       "that the program states, and --assume gives others")
        _noted.append(True)
    return value


def as_kind(node, kind=None, *fallback):
    """A value as a program takes it, or what it falls back to where the file has none."""
    value = node.held if isinstance(node, Node) else node
    name = node.name if isinstance(node, Node) else ""
    assumed = _tilewise.assumed(name) if name else None
    if assumed is not None:
        return assumed
    if _tilewise.is_unknown(value) and fallback:
        return _default_of(fallback[0])
    if value is None:
        if fallback:
            return fallback[0]
        return _tilewise.unknown("the value " + name + ", which the configuration does not have")
    if isinstance(value, str) and kind in (int, float):
        return kind(value)
    return float(value) if kind is float and isinstance(value, int) else value


class Node:
    """A value of the file, with those that it holds."""

    def __init__(self, held=None, name=""):
        self.held, self.name = held, name

    def __getitem__(self, key):
        return self._part(key)

    def _part(self, key):
        name = key if isinstance(key, str) else self.name
        if _tilewise.is_unknown(self.held):
            return Node(_tilewise.unknown(str(name) + " of a configuration file that is not known"
                                          "; --assume " + str(name) + "=VALUE gives it"), name)
        if isinstance(self.held, dict):
            return Node(self.held.get(key), name)
        if isinstance(self.held, list) and isinstance(key, int) and key < len(self.held):
            return Node(self.held[key], name)
        return Node(None, name)

    def __setitem__(self, key, value):
        if isinstance(self.held, dict):
            self.held[key] = value.held if isinstance(value, Node) else value

    def value_of(self, *values):
        """value("key", default) of JSON, value<int>() of TOML."""
        if len(values) == 2:
            return as_kind(self._part(values[0]), None, values[1])
        return as_kind(self)

    def __contains__(self, key):
        if _tilewise.is_unknown(self.held):
            return self.held
        return isinstance(self.held, (dict, list)) and key in self.held

    def __iter__(self):
        if _tilewise.is_unknown(self.held):
            return iter(self.held)
        if isinstance(self.held, dict):
            return iter([Node(v, k) for k, v in self.held.items()])
        return iter([Node(v, self.name) for v in self.held or []])

    def __len__(self):
        return len(self.held) if isinstance(self.held, (dict, list, str)) else 0

    def __bool__(self):
        return self.held is not None

    def IsDefined(self):
        return self.held is not None

    def IsNull(self):
        return self.held is None

    def IsMap(self):
        return isinstance(self.held, dict)

    def IsSequence(self):
        return isinstance(self.held, list)

    is_null = IsNull
    is_object = is_table = IsMap
    is_array = IsSequence

    def as_integer(self, *rest):
        return as_kind(self, int)

    def as_floating(self, *rest):
        return as_kind(self, float)

    def as_boolean(self, *rest):
        return as_kind(self, bool)

    def as_string(self, *rest):
        return as_kind(self, str)

    # Numbers that C++ converts to by itself.
    def __int__(self):
        return as_kind(self, int)

    __index__ = __int__

    def __float__(self):
        return as_kind(self, float)

    def __str__(self):
        return str(as_kind(self))


def _read(path, parse):
    if not isinstance(path, str):
        return Node(_tilewise.unknown("what a configuration file holds, whose name is not known"))
    try:
        with open(path) as file:
            return Node(parse(file.read()))
    except OSError:
        return Node(_tilewise.unknown("what " + path + " holds, which is not here"))


def load_yaml(path):
    return _read(path, _yaml.safe_load)


def load_toml(path, *more):
    return _read(path, _toml.loads)


def from_yaml(text):
    return Node(_yaml.safe_load(text))


def from_json(text, *more):
    """Of a text, or of a stream whose file is not known here."""
    if isinstance(text, str):
        return Node(_json.loads(text))
    return Node(_tilewise.unknown("what a JSON file holds"))


def from_json_file(path):
    return _read(path, _json.loads)


Node.parse = staticmethod(from_json)
Node.parse_file = staticmethod(from_json_file)


def _at(node, keys):
    for key in keys:
        node = node[key]
    return node


def find(node, *keys):
    return as_kind(_at(node, keys))


def find_or(node, *keys):
    return as_kind(_at(node, keys[:-1]), None, keys[-1])


yaml = {"LoadFile": load_yaml, "Load": from_yaml, "Load_file": load_yaml, "Node": Node}
nlohmann = {"json": Node, "basic_json": Node, "parse": from_json}
toml = {"parse": load_toml, "parse_file": load_toml, "find": find, "find_or": find_or,
        "get": as_kind, "value": Node, "basic_value": Node, "table": Node}
