"""Flags that name a file whose get_config() gives the configuration."""

from absl import flags
from ml_collections import _set_path


def _load(text):
    """The configuration of the Python file `path[:argument]`."""
    import _python
    path, _, argument = text.partition(":")
    name = path[:-3] if path.endswith(".py") else path
    module = _python.import_module(name.strip("./").replace("/", "."), None)
    return module.get_config(argument) if argument else module.get_config()


class _ConfigFlag(flags.Flag):
    def __init__(self, name, default):
        super().__init__(name, None, self._read)
        self._file = default
        self._changes = []
        self.config_filename = default

    def _read(self, text):
        self.config_filename = text
        self._file = None
        return _load(text)

    def override(self, path, value):
        self._changes.append((path, value))

    def finish(self):
        if self.value is None and self._file is not None:
            self.value = _load(self._file) if isinstance(self._file, str) else self._file
        for path, text in self._changes:
            _change(self.value, path, text)
        self._changes = []


def _change(config, path, text):
    old = config
    for part in path.split("."):
        old = old[int(part)] if isinstance(old, (list, tuple)) else old.get(part)
    import _python
    if isinstance(old, bool):
        value = text.lower() in ("true", "1", "yes")
    elif isinstance(old, (int, float)) and not text.startswith(("'", "\"")):
        try:
            value = type(old)(text)
        except ValueError:
            value = float(text)
    elif isinstance(old, str):
        value = text
    else:
        try:
            value = _python.literal_eval(text)
        except (ValueError, SyntaxError):
            value = text
    _set_path(config, path, value)


def DEFINE_config_file(name, default=None, help_string="", flag_values=None, lock_config=True,
                       **kwargs):
    return flags.DEFINE_flag(_ConfigFlag(name, default))


def DEFINE_config_dict(name, config, help_string="", flag_values=None, lock_config=True,
                       **kwargs):
    made = _ConfigFlag(name, config)
    made.value = config
    return flags.DEFINE_flag(made)


def get_config_filename(flag_values_item):
    return flag_values_item.config_filename
