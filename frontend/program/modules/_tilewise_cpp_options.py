"""Command lines of C++ programs: options have their defaults, since none is given here."""

import _tilewise

_TRAINS = ("train", "do_train", "training", "is_training", "run_train")


class Option:
    """An option of argparse, Boost or cxxopts, and what says its default."""

    def __init__(self, kind=None):
        self.kind, self.value, self.given, self.name = kind, None, False, ""

    def default_value(self, value, *text):
        self.value, self.given = value, True
        return self

    default_val = default_value

    def scan(self, *types):
        return self

    def flag(self):
        return self.default_value(False)

    def append(self):
        return self.default_value([])

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return lambda *values: self

    def needed(self, label, kind):
        """Of what has no default only a place is assumed."""
        if kind not in (str, None):
            return _tilewise.unknown("the option " + label + ", which has no default; --assume "
                                     + self.name + "=VALUE gives it one")
        _tilewise.note(label + " has no default; /tmp/" + self.name + " stands for it")
        return "/tmp/" + self.name

    def as_kind(self, kind):
        """The value as a program takes it: that it trains, where a flag says so."""
        kind = kind if isinstance(kind, type) else self.kind
        label = "--" + self.name
        assumed = _tilewise.assumed(self.name)
        if assumed is not None:
            return assumed
        value = self.value if self.given else self.needed(label, kind)
        if isinstance(value, str) and kind in (int, float, bool):
            value = as_number(value, kind)
        if value is False and self.name in _TRAINS:
            _tilewise.note(label + " is not given; it is taken as true")
            value = True
        return value


def as_number(text, kind):
    """What a text says as a value of the kind; other kinds are texts."""
    if kind not in (int, float, bool):
        return text
    if kind is bool:
        return text.strip().lower() in ("true", "t", "1")
    try:
        return kind(float(text)) if kind is int and "e" in text else kind(text)
    except ValueError:
        return _tilewise.unknown("the number " + text)


class Options:
    """What a program declares, and at the same time what its command line gives."""

    def __init__(self, *values):
        self.found = {}

    def add_options(self, *group):
        return self

    def add(self, others, *count):
        if isinstance(others, Options):
            self.found.update(others.found)
        return self

    def __call__(self, names, *values):
        """Boost: a name, a value, a text; cxxopts has the text first."""
        option = Option()
        for value in values:
            if isinstance(value, Option):
                option = value
        self.take(names.split(","), option)
        return self

    def take(self, names, option):
        plain = [n.strip().lstrip("-") for n in names]
        option.name = max(plain, key=len).replace("-", "_")
        for name in plain:
            self.found[name] = option

    def add_argument(self, *names):
        option = Option()
        self.take(names, option)
        return option

    def add_option(self, group, described, *more):
        """cxxopts: a whole option, or its names, a text and a value."""
        values = list(described) if isinstance(described, (list, tuple)) else [described]
        return self(*values, *more)

    def options(self, described):
        return self.add(described)

    def run(self, *values):
        return self

    def parse(self, *values):
        return self

    def __getattr__(self, name):
        if name.startswith("__") or name == "found":
            raise AttributeError(name)
        return lambda *values: self

    def __getitem__(self, name):
        name = name.lstrip("-")
        if name in self.found:
            return self.found[name]
        return _tilewise.unknown("the option --" + name)

    def __contains__(self, name):
        option = self.found.get(name.lstrip("-"))
        return option is not None and option.given

    def __len__(self):
        return len(self.found)

    def get(self, name, kind=None):
        option = self[name]
        return option.as_kind(kind) if isinstance(option, Option) else option

    def present(self, name):
        return self.get(name) if name in self else None

    def is_used(self, name):
        return False

    is_subcommand_used = is_used


class Parsed(Options):
    """cxxopts counts what a command line gives, which is nothing."""

    def __contains__(self, name):
        return False


class App(Options):
    """CLI11: options are bound to variables."""

    def add_option(self, *values):
        return Option()

    def got_subcommand(self, name):
        return False

    def count(self, name=""):
        return 0


def value(*variable):
    return Option()


def switch(*variable):
    return Option(bool).default_value(False)


def store(parsed, values, *more):
    if isinstance(parsed, Options):
        values.found.update(parsed.found)


def parsed(argc, argv, options, *more):
    return options


def nothing(*values):
    pass


def same(value):
    return value


boost = {"options_description": Options, "variables_map": Options, "command_line_parser": Options,
         "positional_options_description": Options, "value": value, "bool_switch": switch,
         "store": store, "notify": nothing, "parse_command_line": parsed}
argparse = {"ArgumentParser": Options}
cli = {"App": App}


def described(*values):
    return list(values)


cxxopts = {"Options": Parsed, "value": value, "Option": described}
class Flags:
    """Flags of TensorFlow and XLA: each is bound to a variable."""

    @staticmethod
    def Parse(argc, argv, flags):
        return True

    @staticmethod
    def Usage(command, flags):
        return ""


tsl = {"Flag": nothing, "Flags": Flags}
absl = {"Flag": same, "GetFlag": same, "ParseCommandLine": nothing,
        "SetProgramUsageMessage": nothing}
gflags = {"ParseCommandLineFlags": nothing, "SetUsageMessage": nothing,
          "SetVersionString": nothing, "ShutDownCommandLineFlags": nothing}
