"""Flags that name a file whose get_config() gives the configuration."""

import _tilewise
from absl import flags


def _load(text, name):
    """The configuration of the Python file `path[:argument]`, which flag `name` names."""
    import _python
    path, _, argument = text.partition(":")
    import _tilewise_entry
    given = _tilewise_entry.given_config(path)
    if given is not None:
        return given
    parts = [p for p in path.split("/") if p not in ("", ".", "..")]
    parts[-1] = parts[-1][:-3] if parts[-1].endswith(".py") else parts[-1]
    for k in [2, 1] + list(range(3, len(parts) + 1)):
        module = _python.import_module(".".join(parts[-k:]))
        if not _tilewise.is_unknown(module) and hasattr(module, "get_config"):
            return module.get_config(argument) if argument else module.get_config()
    _tilewise.note("flag --" + name + " names a configuration that is not here: " + text)
    return _tilewise.unknown("the configuration " + text + ", which was not found")


class _ConfigFlag(flags.Flag):
    """Where it is not given, the configuration that programs keep to start from."""

    def __init__(self, name, default):
        super().__init__(name, default, "config", lambda text: text)
        self._assumed = False

    @property
    def config_filename(self):
        return self.current if isinstance(self.current, str) else self.default

    @property
    def value(self):
        if self.current is None and not self._assumed:
            self._assumed = True
            import _tilewise_entry
            self.current, path = _tilewise_entry.default_config()
            if self.current is not None:
                _tilewise.note("flag --" + self.name + " is not given; " + path + " is taken")
        elif isinstance(self.current, str):
            self.current = _load(self.current, self.name)
        if self.overrides and self.current is not None:
            for key, text in self.overrides:
                flags._override(self.current, key, text)
            self.overrides = []
        return self.current

    @value.setter
    def value(self, v):
        self.current = v


def _defined(flag):
    flags.FLAGS.__dict__["_flags"][flag.name] = flag
    return flags.FlagHolder(flag)


def DEFINE_config_file(name, default=None, help_string="", flag_values=None, lock_config=True,
                       **kwargs):
    return _defined(_ConfigFlag(name, default))


def DEFINE_config_dict(name, config, help_string="", flag_values=None, lock_config=True,
                       **kwargs):
    return _defined(_ConfigFlag(name, config))


def DEFINE_config_dataclass(name, config, help_string="", flag_values=None, **kwargs):
    return _defined(_ConfigFlag(name, config))


def get_config_filename(flag_values_item):
    return flag_values_item.config_filename


def __getattr__(name):
    if name == "config_flags":
        import ml_collections.config_flags as itself
        return itself
    raise AttributeError(name)
