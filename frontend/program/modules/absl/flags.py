"""absl.flags: flags have their defaults, or what the command line says."""

import sys

import _tilewise as _t
from _tilewise_arguments import not_defined


class Error(Exception):
    pass


class IllegalFlagValueError(Error):
    pass


class ValidationError(Error):
    pass


class UnparsedFlagAccessError(Error):
    pass


_TRAINS = ("do_train", "train", "is_training", "run_train", "training")
_USES_TPU = ("use_tpu", "tpu_training")
_PLACES = ("dir", "path", "file", "data", "folder", "directory", "files", "pattern")
_CHOSEN = ("model", "arch", "architecture", "network", "task", "variant", "mode")
_OTHERS = ("checkpoint", "ckpt", "init", "restore", "resume", "pretrain", "warm", "export", "log",
           "profil", "trace", "cache", "xla", "zone", "dataset_name", "eval", "predict", "teacher",
           "hub", "spec", "metadata", "save", "test", "config", "param")


def _assumed(flag, value):
    """What a flag that is not given is taken to be: a place for data, and that it trains."""
    name = flag.name
    if flag.kind == "string" and (value is None or value == "") and \
            name.split("_")[-1] in _PLACES and not any([o in name for o in _OTHERS]):
        _t.note("flag --" + name + " is not given; a path is assumed")
        return "/tmp/" + name
    if value is None and flag.choices and name.split("_")[-1] in _CHOSEN:
        _t.note("flag --" + name + " is not given; " + str(flag.choices[0]) + " is taken")
        return flag.parse(flag.choices[0])
    if value is False and flag.kind == "bool" and name in _USES_TPU:
        _t.note("flag --" + name + " is not given; it is taken as true: the report is about a TPU")
        return True
    if value is False and flag.kind == "bool" and name in _TRAINS and not _given(_TRAINS):
        _t.note("flag --" + name + " is not given; it is taken as true")
        return True
    return value


def _given(names):
    flags = FLAGS.__dict__["_flags"]
    return any([n in flags and (flags[n].present or flags[n].default is True) for n in names])


_last = []  # the flag that was read last


def assume_last():
    """Whether the flag that was read last is a text that is not given; it is assumed then."""
    if not _last or _last[0].present or _last[0].kind != "string" or \
            _last[0].current not in (None, ""):
        return False
    flag = _last[0]
    flag.assumed = flag.current = "/tmp/" + flag.name
    _t.note("flag --" + flag.name + " must be given; " + flag.current + " is taken")
    return True


class Flag:
    said = False  # that its default is taken
    choices = ()
    assumed = None  # where the program does not go on without a value

    def __init__(self, name, default, kind, parse):
        self.name = name
        self.default = default
        self.kind = kind
        self.parse = parse
        self.present = 0
        self.current = default
        self.overrides = []

    @property
    def value(self):
        _last[:] = [self]
        v = self.current
        if not v and not _t.is_unknown(v) and not self.present:
            v = self.current = _assumed(self, v)
        return v

    @value.setter
    def value(self, v):
        empty = not _t.is_unknown(v) and (v is None or v == "")
        self.current = self.assumed if empty and self.assumed is not None else v


def _override(config, key, text):
    parts = key.split(".")
    for p in parts[:-1]:
        config = config[p]
    old = config.get(parts[-1]) if hasattr(config, "get") else None
    config[parts[-1]] = _like(old, text)


def _like(old, text):
    if isinstance(old, bool):
        return text.lower() in ("true", "1", "yes")
    for kind in (int, float):
        if isinstance(old, kind):
            return kind(text)
    if old is None or isinstance(old, (tuple, list)):
        for kind in (int, float):
            try:
                return kind(text)
            except ValueError:
                pass
    return text


class FlagHolder:
    def __init__(self, flag):
        self.flag = flag
        self.name = flag.name
        self.default = flag.default

    @property
    def value(self):
        return self.flag.value

    @property
    def present(self):
        return self.flag.present


class FlagValues:
    def __init__(self):
        self.__dict__["_flags"] = {}
        self.__dict__["_required"] = []

    def __getattr__(self, name):
        if name[:2] == "__":
            raise AttributeError(name)
        flags = self.__dict__["_flags"]
        if name in flags:
            flag = flags[name]
            if not flag.said and not flag.present and not _t.is_unknown(flag.value) and \
                    isinstance(flag.value, (int, float)):
                flag.said = True
                _t.record("flag", name=name, value=flag.value)
            return flag.value
        return _t.unknown("the flag " + name + " is not defined")

    def __setattr__(self, name, value):
        flags = self.__dict__["_flags"]
        if name in flags:
            flags[name].value = value
        else:
            flags[name] = Flag(name, value, "string", str)

    def __getitem__(self, name):
        return self.__dict__["_flags"][name]

    def __contains__(self, name):
        return name in self.__dict__["_flags"]

    def __iter__(self):
        return iter(self.__dict__["_flags"])

    def __len__(self):
        return len(self.__dict__["_flags"])

    def __call__(self, argv, known_only=False):
        flags = self.__dict__["_flags"]
        rest = list(argv[:1])
        i = 1
        while i < len(argv):
            a = argv[i]
            i += 1
            if a == "--":
                rest += argv[i:]
                break
            if not a.startswith("-") or a in ("-", "--"):
                rest.append(a)
                continue
            name, equals, text = a.lstrip("-").partition("=")
            if name in flags:
                f = flags[name]
                f.present += 1
                if not equals and f.kind == "bool":
                    f.value = True
                    continue
                if not equals and i < len(argv):
                    text = argv[i]
                    i += 1
                f.value = f.parse(text)
            elif name[:2] == "no" and name[2:] in flags and flags[name[2:]].kind == "bool":
                flags[name[2:]].value = False
            elif "." in name and name.split(".")[0] in flags:
                head, _, key = name.partition(".")
                if not equals and i < len(argv):
                    text = argv[i]
                    i += 1
                flags[head].overrides.append((key, text))
            else:
                rest.append(a)
                if not known_only:
                    not_defined("--" + name)
        if self.__dict__["_required"]:
            _assume_required()
        return rest

    def is_parsed(self):
        return True

    def mark_as_parsed(self):
        return None

    def unparse_flags(self):
        return None

    def flag_values_dict(self):
        return {k: f.value for k, f in self.__dict__["_flags"].items()}

    def set_default(self, name, value):
        flags = self.__dict__["_flags"]
        if name not in flags:  # its module is not here
            flags[name] = Flag(name, value, "string", _same)
        flags[name].value = value

    def append_flag_values(self, other):
        return None

    def get_help(self, *args, **kw):
        return ""

    def flags_into_string(self):
        return ""

    def flags_by_module_dict(self):
        return {}

    def get_flag_value(self, name, default=None):
        flags = self.__dict__["_flags"]
        return flags[name].value if name in flags else default

    def find_module_defining_flag(self, name, default=None):
        return default


FLAGS = FlagValues()


def _same(text):
    return text


def _bool(text):
    return text.lower() in ("true", "t", "1", "yes", "y", "")


def _items(text):
    return [s.strip() for s in text.split(",") if s.strip()]


def _define(name, default, help=None, kind="string", parse=_same, locked=False):
    flag = Flag(name, default, kind, parse)
    FLAGS.__dict__["_flags"][name] = flag
    return FlagHolder(flag)


def DEFINE_string(name, default, help="", flag_values=None, required=False, **kw):
    return _define(name, default, help)


def DEFINE_integer(name, default, help="", lower_bound=None, upper_bound=None, **kw):
    return _define(name, int(default) if isinstance(default, str) else default, help, "int", int)


def DEFINE_float(name, default, help="", lower_bound=None, upper_bound=None, **kw):
    return _define(name, float(default) if default is not None else None, help, "float", float)


def DEFINE_bool(name, default, help="", **kw):
    return _define(name, default, help, "bool", _bool)


DEFINE_boolean = DEFINE_bool


def DEFINE_enum(name, default, enum_values, help="", **kw):
    holder = _define(name, default, help)
    holder.flag.choices = list(enum_values)
    return holder


def DEFINE_enum_class(name, default, enum_class, help="", **kw):
    members = {m.name.lower(): m for m in enum_class}
    v = members.get(default.lower()) if isinstance(default, str) else default
    holder = _define(name, v, help, "enum", lambda text: members[text.lower()])
    holder.flag.choices = sorted(members, key=lambda word: "train" not in word)
    return holder


def DEFINE_list(name, default, help="", **kw):
    v = _items(default) if isinstance(default, str) else default
    return _define(name, v, help, "list", _items)


DEFINE_spaceseplist = DEFINE_list


def DEFINE_multi_string(name, default, help="", **kw):
    v = [default] if isinstance(default, str) else default
    return _define(name, v, help, "list", lambda text: [text])


def DEFINE_multi_integer(name, default, help="", **kw):
    v = [default] if isinstance(default, int) else default
    return _define(name, v, help, "list", lambda text: [int(text)])


def DEFINE_multi_float(name, default, help="", **kw):
    v = [default] if isinstance(default, float) else default
    return _define(name, v, help, "list", lambda text: [float(text)])


DEFINE_multi_enum = DEFINE_multi_string


def DEFINE_alias(name, original_name, **kw):
    return None


def DEFINE(parser, name, default, help="", **kw):
    return _define(name, default, help)


DEFINE_flag = DEFINE


def mark_flag_as_required(name, flag_values=None):
    FLAGS.__dict__["_required"].append(name.name if hasattr(name, "name") else name)


def mark_flags_as_required(names, flag_values=None):
    for name in names:
        mark_flag_as_required(name)


def _assume_required():
    """Values for flags that must be given and are not."""
    all_flags = FLAGS.__dict__["_flags"]
    for name in FLAGS.__dict__["_required"]:
        flag = all_flags.get(name)
        if flag is None or flag.present or flag.current is not None or flag.kind == "config":
            continue
        found = _likely(name, flag.choices)
        if found is not None:
            _t.note("flag --" + name + " must be given; " + found + " is taken")
            flag.value = flag.parse(found)
        else:
            flag.value = _t.unknown("flag --" + name + ", which must be given")


def _likely(name, choices):
    for word in choices:
        if "train" in word:
            return word
    if choices:
        return choices[0]
    return "/tmp/" + name if name.endswith(_PLACES) else None


def _nothing(*args, **kw):
    return None


mark_flags_as_mutual_exclusive = mark_bool_flags_as_mutual_exclusive = _nothing
declare_key_flag = adopt_module_key_flags = _nothing


def register_validator(*args, **kw):
    return None


def validator(*args, **kw):
    return lambda f: f


def set_default(holder, value):
    holder.flag.value = value


def override_value(holder, value):
    holder.flag.value = value
