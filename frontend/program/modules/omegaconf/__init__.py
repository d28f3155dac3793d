"""Configurations as nested attribute dictionaries."""

from collections.abc import MutableMapping, MutableSequence

MISSING = "???"


class OmegaConfBaseException(Exception):
    pass


class ConfigAttributeError(OmegaConfBaseException, AttributeError):
    pass


class ConfigKeyError(OmegaConfBaseException, KeyError):
    pass


class MissingMandatoryValue(OmegaConfBaseException):
    pass


class ReadonlyConfigError(OmegaConfBaseException):
    pass


class errors:
    OmegaConfBaseException, ConfigAttributeError = OmegaConfBaseException, ConfigAttributeError
    ConfigKeyError, MissingMandatoryValue = ConfigKeyError, MissingMandatoryValue


class Container:
    pass


_resolvers = {}


def _wrap(value, parent):
    if isinstance(value, dict) and not isinstance(value, DictConfig):
        return DictConfig(value, parent)
    if isinstance(value, (list, tuple)) and not isinstance(value, ListConfig):
        return ListConfig(value, parent)
    if hasattr(value, "__dataclass_fields__"):
        return DictConfig(_from_dataclass(value), parent)
    if isinstance(value, (DictConfig, ListConfig)):
        object.__setattr__(value, "_up", parent)
    return value


def _from_dataclass(thing):
    import dataclasses
    out = {}
    for f in dataclasses.fields(thing):
        if not isinstance(thing, type):
            out[f.name] = getattr(thing, f.name)
        elif f.default is not dataclasses.MISSING:
            out[f.name] = f.default
        elif f.default_factory is not dataclasses.MISSING:
            out[f.name] = f.default_factory()
        else:
            out[f.name] = MISSING
    return out


def _root(node):
    while node._up is not None:
        node = node._up
    return node


def _reference(text, node):
    """The value of one ${...} without its braces."""
    name, colon, rest = text.partition(":")
    if colon:
        if name == "oc.env":
            import os
            key, comma, default = rest.partition(",")
            return os.environ.get(key.strip(), default.strip() if comma else None)
        if name in _resolvers:
            args = [_typed(a.strip()) for a in _commas(_resolve(rest, node))] if rest else []
            return _resolvers[name](*args)
        import _tilewise
        return _tilewise.unknown(f"the resolver {name}")
    at = _root(node)
    if text.startswith("."):
        at, text = node, text[1:]
        while text.startswith("."):
            at, text = at._up, text[1:]
    return _select(at, text)


def _commas(text):
    parts, depth, part = [], 0, ""
    for c in str(text):
        depth += (c in "[{(") - (c in "]})")
        if c == "," and depth == 0:
            parts.append(part)
            part = ""
        else:
            part += c
    return parts + [part]


def _typed(text):
    if not isinstance(text, str):
        return text
    words = {"true": True, "false": False, "null": None, "none": None}
    if text.lower() in words:
        return words[text.lower()]
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            pass
    if text[:1] in ("[", "{", "'", "\""):
        import _python
        return _python.yaml(text)
    return text


def _resolve(text, node):
    """A text with its references replaced; a text that is one reference gives its value."""
    start = text.find("${")
    if start < 0:
        return text
    depth, i = 0, start
    while i < len(text):
        if text[i:i + 2] == "${":
            depth += 1
            i += 1
        elif text[i] == "}":
            depth -= 1
            if depth == 0:
                break
        i += 1
    inner = text[start + 2:i]
    if "${" in inner:
        inner = str(_resolve(inner, node))
    value = _reference(inner, node)
    if start == 0 and i == len(text) - 1:
        return value
    return _resolve(text[:start] + str(value) + text[i + 1:], node)


def _read(value, node):
    if isinstance(value, str) and "${" in value:
        return _resolve(value, node)
    return value


class DictConfig(Container, MutableMapping):
    def __init__(self, content=None, parent=None, **kwargs):
        object.__setattr__(self, "_up", parent)
        object.__setattr__(self, "_data", {})
        if hasattr(content, "__dataclass_fields__"):
            content = _from_dataclass(content)
        for key, value in (content or {}).items():
            self._data[key] = _wrap(value, self)

    def __getattr__(self, name):
        if name.startswith("__") or name in ("_data", "_up"):
            raise AttributeError(name)
        if name not in self._data:
            raise ConfigAttributeError(f"Key '{name}' is not in struct")
        return self[name]

    def __getitem__(self, key):
        if key not in self._data:
            raise ConfigKeyError(key)
        value = _read(self._data[key], self)
        if isinstance(value, str) and value == MISSING:
            raise MissingMandatoryValue(f"Missing mandatory value: {key}")
        return value

    def __setattr__(self, name, value):
        self._data[name] = _wrap(value, self)

    def __setitem__(self, key, value):
        self._data[key] = _wrap(value, self)

    def __delitem__(self, key):
        del self._data[key]

    def __delattr__(self, key):
        del self._data[key]

    def __contains__(self, key):
        return key in self._data and self._data[key] != MISSING

    def __iter__(self):
        return iter(self._data)

    def __len__(self):
        return len(self._data)

    def __bool__(self):
        return bool(self._data)

    def __eq__(self, other):
        if isinstance(other, DictConfig):
            other = other._data
        return self._data == other

    def __repr__(self):
        return repr(self._data)

    def get(self, key, default=None):
        value = self._data.get(key, MISSING)
        if isinstance(value, str) and value == MISSING:
            return default
        return _read(value, self)

    def keys(self):
        return self._data.keys()

    def values(self):
        return [self[key] for key in self._data]

    def items(self):
        return [(key, self[key]) for key in self._data]

    def pop(self, key, *default):
        if key not in self._data and default:
            return default[0]
        value = self[key]
        del self._data[key]
        return value

    def update(self, other=(), **kwargs):
        for key, value in {**dict(other), **kwargs}.items():
            self[key] = value

    def setdefault(self, key, default=None):
        if key not in self._data:
            self[key] = default
        return self[key]

    def copy(self):
        return DictConfig(OmegaConf.to_container(self), self._up)

    def __deepcopy__(self, memo):
        return self.copy()

    def _set_flag(self, *args, **kwargs):
        pass

    def _get_parent(self):
        return self._up

    def _set_parent(self, parent):
        object.__setattr__(self, "_up", parent)


class ListConfig(Container, MutableSequence):
    def __init__(self, content=(), parent=None, **kwargs):
        self._up = parent
        self._data = [_wrap(value, self) for value in content]

    def __getitem__(self, index):
        if isinstance(index, slice):
            return [_read(value, self) for value in self._data[index]]
        return _read(self._data[index], self)

    def __setitem__(self, index, value):
        self._data[index] = _wrap(value, self)

    def __iter__(self):
        for value in self._data:
            yield _read(value, self)

    def __len__(self):
        return len(self._data)

    def __contains__(self, value):
        return value in self._data

    def __eq__(self, other):
        return self._data == (other._data if isinstance(other, ListConfig) else list(other))

    def __add__(self, other):
        return ListConfig(list(self) + list(other))

    def __repr__(self):
        return repr(self._data)

    def append(self, value):
        self._data.append(_wrap(value, self))

    def extend(self, values):
        for value in values:
            self.append(value)

    def index(self, value):
        return self._data.index(value)

    def __deepcopy__(self, memo):
        return ListConfig(OmegaConf.to_container(self))


def _select(node, path, default=None):
    for part in path.replace("[", ".").replace("]", "").split("."):
        if isinstance(node, ListConfig):
            node = node[int(part)]
        elif isinstance(node, DictConfig) and part in node._data:
            node = _read(node._data[part], node)
        else:
            return default
    return node


def _merge(into, other):
    for key, value in other._data.items():
        mine = into._data.get(key)
        if isinstance(value, DictConfig) and isinstance(mine, DictConfig):
            _merge(mine, value)
        elif mine is None or value != MISSING:  # what is still to be given replaces nothing
            into._data[key] = _wrap(_plain(value, False), into)


def _plain(value, resolve, node=None):
    if isinstance(value, DictConfig):
        return {k: _plain(v, resolve, value) for k, v in value._data.items()}
    if isinstance(value, ListConfig):
        return [_plain(v, resolve, value) for v in value._data]
    if resolve and node is not None:
        found = _read(value, node)
        return _plain(found, True) if isinstance(found, Container) else found
    return value


class OmegaConf:
    @staticmethod
    def create(content=None, **kwargs):
        if isinstance(content, str):
            import _python
            content = _python.yaml(content)
        if isinstance(content, Container):
            content = _plain(content, False)
        if isinstance(content, (list, tuple)):
            return ListConfig(content)
        return DictConfig(content)

    structured = create

    @staticmethod
    def load(path):
        import yaml
        if hasattr(path, "read"):
            return OmegaConf.create(yaml.load(path))
        import _python
        text = _python.read_file(str(path))
        if text is None:
            import _tilewise
            return _tilewise.unknown(f"the configuration file {path}")
        return OmegaConf.create(_python.yaml(text))

    @staticmethod
    def merge(*configs):
        made = OmegaConf.create(configs[0])
        if isinstance(configs[0], DictConfig):
            made._set_parent(configs[0]._up)
        for other in configs[1:]:
            other = OmegaConf.create(other)
            if isinstance(other, DictConfig):
                _merge(made, other)
            else:
                made = other
        return made

    unsafe_merge = merge

    @staticmethod
    def from_dotlist(items):
        made = DictConfig()
        for item in items:
            path, _, value = item.partition("=")
            OmegaConf.update(made, path, _typed(value))
        return made

    @staticmethod
    def from_cli(args=None):
        import sys
        return OmegaConf.from_dotlist(sys.argv[1:] if args is None else args)

    @staticmethod
    def update(config, path, value=None, *, merge=True, force_add=False):
        parts = path.split(".")
        for part in parts[:-1]:
            if part not in config._data or not isinstance(config._data[part], Container):
                config[part] = {}
            config = config[part]
        config[parts[-1]] = value

    @staticmethod
    def to_container(config, resolve=False, throw_on_missing=False, **kwargs):
        return _plain(config, resolve)

    @staticmethod
    def to_object(config):
        return _plain(config, True)

    @staticmethod
    def to_yaml(config, resolve=False, sort_keys=False):
        import yaml
        return yaml.dump(_plain(config, resolve), sort_keys=sort_keys)

    @staticmethod
    def select(config, path, default=None, **kwargs):
        return _select(config, path, default)

    @staticmethod
    def resolve(config):
        for key, value in _plain(config, True).items():
            config[key] = value

    @staticmethod
    def register_new_resolver(name, function, *, replace=False, use_cache=False):
        _resolvers[name] = function

    register_resolver = register_new_resolver

    @staticmethod
    def has_resolver(name):
        return name in _resolvers

    @staticmethod
    def is_config(value):
        return isinstance(value, Container)

    @staticmethod
    def is_dict(value):
        return isinstance(value, DictConfig)

    @staticmethod
    def is_list(value):
        return isinstance(value, ListConfig)

    @staticmethod
    def is_missing(config, key):
        return config._data.get(key) == MISSING

    @staticmethod
    def set_struct(config, flag):
        pass

    set_readonly = set_struct

    @staticmethod
    def save(config, f, resolve=False):
        pass


def open_dict(config):
    from contextlib import nullcontext
    return nullcontext(config)


read_write = flag_override = open_dict


def II(name):
    return "${" + name + "}"


SI = str
