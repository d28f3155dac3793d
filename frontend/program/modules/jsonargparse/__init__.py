"""Command lines from typed functions, with files of settings."""

import sys
import types

import _python
import _tilewise
import _tilewise_arguments

_PLAIN = (str, int, float, bool, list, tuple, dict, type(None))


def _choices(kind):
    """The types that an annotation allows."""
    args = getattr(kind, "__args__", None)
    if isinstance(kind, type) or not args:
        return [kind]
    found = []
    for one in args:
        found += _choices(one)
    return found


def _classes(kind):
    return [c for c in _choices(kind) if isinstance(c, type) and c not in _PLAIN]


def _found(path, scopes):
    """The class of a dotted name, or of one that a module around knows."""
    if "." in path:
        module = _python.import_module(path.rpartition(".")[0])
        if not _tilewise.is_unknown(module):
            return getattr(module, path.rpartition(".")[2], None)
    for scope in scopes:
        made = scope.get(path)
        if isinstance(made, type):
            return made
    return None


def _scopes(classes):
    """Names of the modules that the classes are from, and of the packages above these."""
    found = []
    for c in classes:
        name = getattr(c, "__module__", "") or ""
        while name:
            module = sys.modules.get(name)
            if module is not None:
                found.append(vars(module))
            name = name.rpartition(".")[0]
    return found


def converted(value, kind, default=None):
    """A value of a file or of the command line, as its annotation has it."""
    if _tilewise.is_unknown(kind) or kind is None or value is None:
        return value
    classes = _classes(kind)
    names = [c.__name__ for c in classes]
    if isinstance(value, str) and any(["Path" in n for n in names]):
        from pathlib import Path
        return Path(value)
    plain = str in _choices(kind)
    if isinstance(value, dict) and "class_path" in value and classes and not plain:
        cls = _found(value["class_path"], _scopes(classes))
        if cls is None:
            return _tilewise.unknown("an object of the class " + value["class_path"])
        return called(cls, value.get("init_args") or {})
    if isinstance(value, str) and classes and not plain:
        cls = _found(value, _scopes(classes))
        return value if cls is None else called(cls, {})
    if isinstance(value, dict) and classes and dict not in _choices(kind):
        cls = classes[0]
        given = {}
        if default is not None and isinstance(default, cls):
            names = list(getattr(cls, "__dataclass_fields__", None) or
                         [row[0] for row in _python.signature(cls.__init__)])
            given = {n: getattr(default, n) for n in names
                     if n != "self" and hasattr(default, n)}
        given.update(value)
        return called(cls, given)
    if isinstance(value, str) and not plain and _choices(kind)[0] in (int, float, bool):
        return _python.yaml(value)
    return value


def called(function, given, positional=()):
    """A call with what is given by name; what is missing is assumed or not known."""
    if hasattr(function, "__dataclass_fields__"):
        fields = function.__dataclass_fields__
        return function(**{name: converted(value, fields[name].type)
                           for name, value in given.items() if name in fields})
    target = function.__init__ if isinstance(function, type) else function
    kinds = getattr(target, "__annotations__", None) or {}
    named, left = {}, list(positional)
    for name, how, has_default, default in _python.signature(target):
        if name == "self" or how in ("var_positional", "var_keyword"):
            continue
        kind = kinds.get(name)
        if name not in given and left and not has_default:
            given[name] = left.pop(0)
        if name in given:
            named[name] = converted(given[name], kind, default if has_default else None)
        elif not has_default:
            named[name] = converted(_tilewise_arguments.assumed("--" + name, name, kind), kind)
    return function(**named)


def _put(given, path, value):
    keys = path.split(".")
    for key in keys[:-1]:
        inner = given.get(key)
        if not isinstance(inner, dict):
            inner = given[key] = {} if inner is None else {"class_path": inner}
        given = inner
    given[keys[-1]] = value


def settings(words):
    """(values by name, other words) of a command line."""
    given, positional, i = {}, [], 0
    while i < len(words):
        word = words[i]
        i += 1
        if not word.startswith("--"):
            positional.append(word)
            continue
        name, equals, value = word[2:].partition("=")
        if not equals:
            value = words[i] if i < len(words) and not words[i].startswith("--") else "true"
            i += 0 if value == "true" and (i >= len(words) or words[i] != "true") else 1
        name = name.replace("-", "_")
        if name in ("config", "cfg"):
            text = _python.read_file(value)
            if text is None:
                _tilewise.note("the file of settings " + value + " is not here")
                continue
            for key, one in (_python.yaml(text) or {}).items():
                given[key] = one
        else:
            _put(given, name, _python.yaml(value))
    return given, positional


def CLI(components=None, args=None, set_defaults=None, **options):
    words = list(sys.argv[1:] if args is None else args)
    if components is None:
        main = vars(sys.modules["__main__"])
        components = [v for v in main.values() if isinstance(v, types.FunctionType) and
                      v.__module__ == "__main__"]
    if isinstance(components, (list, tuple)):
        components = components[0] if len(components) == 1 else \
            {c.__name__: c for c in components}
    while isinstance(components, dict):
        names = [n for n in components if n[0] != "_"]
        if words and words[0] in components:
            components = components[words.pop(0)]
            continue
        chosen = ([n for n in names if "train" in n or n == "fit"] or names)[0]
        _tilewise.note("no command is given; " + chosen + " is taken")
        components = components[chosen]
    given, positional = settings(words)
    made = dict(set_defaults or {})
    made.update(given)
    return called(components, made, positional)


auto_cli = CLI


def _nothing(*args, **kwargs):
    return None


set_docstring_parse_options = set_config_read_mode = set_parsing_settings = _nothing
set_loader = set_dumper = register_unresolvable_import_paths = class_from_function = _nothing


def capture_parser(function, *args, **kwargs):
    return ArgumentParser()


def lazy_instance(cls, **kwargs):
    return cls(**kwargs)


class Namespace:
    def __init__(self, **values):
        self.__dict__.update(values)

    def __contains__(self, name):
        return name in self.__dict__

    def __getitem__(self, name):
        return self.__dict__[name]

    def get(self, name, default=None):
        return self.__dict__.get(name, default)

    def as_dict(self):
        return dict(self.__dict__)


class ActionConfigFile:
    pass


class ArgumentParser:
    """One that takes classes and functions for groups of arguments."""

    def __init__(self, *args, **options):
        import argparse
        self._parser, self._groups = argparse.ArgumentParser(), []

    def add_argument(self, *names, action=None, type=None, **options):
        if action is ActionConfigFile or getattr(action, "__name__", "").startswith("Action"):
            return None
        plain = type if type in (int, float, str, bool) else None
        return self._parser.add_argument(*names, action=action, type=plain, **options)

    def add_class_arguments(self, cls, nested_key=None, *args, **options):
        self._groups.append((cls, nested_key))

    add_function_arguments = add_subclass_arguments = add_class_arguments

    def add_argument_group(self, *args, **options):
        return self

    def parse_args(self, args=None, **options):
        known, _ = self._parser.parse_known_args(args)
        made = Namespace(**vars(known))
        given, _ = settings(list(sys.argv[1:] if args is None else args))
        for cls, key in self._groups:
            part = given.get(key) if key else given
            values = {row[0]: row[3] for row in _python.signature(
                cls.__init__ if isinstance(cls, type) else cls) if row[2]}
            values.update(part if isinstance(part, dict) else {})
            if key:
                setattr(made, key, Namespace(**values))
            else:
                made.__dict__.update(values)
        return made

    def instantiate_classes(self, config):
        made = Namespace(**vars(config))
        for cls, key in self._groups:
            if key:
                setattr(made, key, called(cls, dict(vars(getattr(config, key)))))
        return made

    def link_arguments(self, *args, **kwargs):
        pass

    set_defaults = save = add_subcommands = link_arguments
