"""configargparse: argparse whose values may also stand in a file."""

import argparse
from argparse import *

import _python


def _words(name, value):
    """What a file says of an option, as the command line would."""
    if value is True or value is None:
        return [name]
    if value is False:
        return []
    if isinstance(value, dict):
        return [name, repr(value)]
    if isinstance(value, (list, tuple)):
        return [name] + [str(v) for v in value]
    return [name, str(value)]


def _values(text):
    """The (name, value) of a file: YAML, or lines `name = value`."""
    import yaml
    made = None
    if "=" not in text.partition("\n")[0]:
        made = yaml.safe_load(text)
    if isinstance(made, dict):
        return list(made.items())
    rows = []
    for line in text.split("\n"):
        line = line.partition("#")[0].strip()
        if not line or line[0] in "[;-":
            continue
        name, equals, value = line.partition("=")
        if not equals:
            name, equals, value = line.partition(":")
        value = value.strip().strip("'\"")
        if value[:1] == "[" and value[-1:] == "]":
            value = [v.strip().strip("'\"") for v in value[1:-1].split(",")]
        rows.append((name.strip(), {"true": True, "false": False}.get(
            value.lower() if isinstance(value, str) else "", value or True)))
    return rows


class ArgumentParser(argparse.ArgumentParser):
    def __init__(self, *args, default_config_files=(), config_file_parser_class=None,
                 auto_env_var_prefix=None, ignore_unknown_config_file_keys=False,
                 config_file_open_func=None, add_config_file_help=True,
                 add_env_var_help=True, args_for_setting_config_path=(),
                 config_arg_is_required=False, config_arg_help_message="", **kwargs):
        super().__init__(*args, **kwargs)
        self._files = list(default_config_files)
        if args_for_setting_config_path:
            self.add_argument(*args_for_setting_config_path, is_config_file=True)

    def parse_known_args(self, args=None, namespace=None, **rest):
        import sys
        given = list(sys.argv[1:]) if args is None else list(args)
        files = list(self._files)
        for action in self._actions:
            if getattr(action, "is_config_file", False):
                named = [given[i + 1] for i, word in enumerate(given[:-1])
                         if word in action.option_strings]
                named += [word.partition("=")[2] for word in given
                          if word.partition("=")[0] in action.option_strings and "=" in word]
                files += named or ([action.default] if isinstance(action.default, str) else [])
        before = []
        for file in files:
            text = _python.read_file(file)
            for name, value in _values(text) if text is not None else []:
                option = self._option(str(name))
                if option is not None:
                    before += _words(option, value)
        if not before:
            return super().parse_known_args(args, namespace, **rest)
        found = super().parse_known_args(before + given, namespace, **rest)
        self._of_program = args is None
        return found

    def _option(self, name):
        for dash in ("--", "-"):
            for spelled in (name, name.replace("_", "-")):
                if dash + spelled in self._options:
                    return dash + spelled
        return None


def _add_argument(self, *names, is_config_file=False, is_config_file_arg=False, env_var=None,
                  is_write_out_config_file_arg=False, **kwargs):
    made = self._add_plain(*names, **kwargs)
    made.is_config_file = is_config_file or is_config_file_arg
    return made


# Groups have the further arguments and names as well: the package adds them to argparse itself.
if not hasattr(argparse._Container, "_add_plain"):
    argparse._Container._add_plain = argparse._Container.add_argument
    argparse._Container.add_argument = _add_argument
    argparse._Container.add = argparse._Container.add_arg = _add_argument
ArgParser = Parser = ArgumentParser


class YAMLConfigFileParser:
    pass


DefaultConfigFileParser = YAMLConfigFileParser
