"""hydra.main: the configuration is composed from YAML files beside the program."""

import _python

__version__ = "1.3.2"


_state = {}


def _text(folder, path):
    """The text of a file of the configuration, in its folder or one of the search path."""
    for one in [folder] + _state.get("path", []):
        text = _python.read_file(f"{one}/{path}" if one else path)
        if text is not None:
            return text
    return None


def _search_path(body):
    """The folders that `hydra.searchpath` of the main file names.

    They are relative to where the program is started, its folder or one above that.
    """
    listed = body.get("hydra") or {}
    listed = listed.get("searchpath") if isinstance(listed, dict) else None
    found = []
    for one in listed or []:
        kind, _, where = str(one).partition("://")
        if where:
            where = where.replace(".", "/") if kind == "pkg" else where
            found.extend([where] if where[0] == "/" else ["../" * n + where for n in range(6)])
    return found


def _load(folder, name):
    name = name if name.endswith((".yaml", ".yml")) else name + ".yaml"
    text = _text(folder, name)
    return None if text is None else _python.yaml(text) or {}


def _at(package, content):
    for part in reversed([p for p in package.split(".") if p]):
        content = {part: content}
    return content


def _header(folder, name):
    """The package that a `# @package` line at the top of the file names, or None."""
    text = _text(folder, name + ".yaml") or ""
    for line in text.splitlines()[:3]:
        if line.startswith("# @package"):
            return line.split()[2].strip()
    return None


def _below(package, part):
    """The package `part` of what is included by a configuration in `package`."""
    if part == "_global_" or part.startswith("_global_."):
        return part[len("_global_."):]
    if part in ("", "_here_"):
        return package
    return f"{package}.{part}" if package else part


def _group_of(text, base):
    """(group from the root, where it is put, the package that is asked for) of "override a@b"."""
    text = text.replace("override ", "").replace("optional ", "").strip()
    group, _, where = text.partition("@")
    path = group[1:] if group.startswith("/") else f"{base}/{group}" if base else group
    if where == "_group_":
        where = path.replace("/", ".")
    return path, where or group.strip("/").replace("/", "."), where


def _with_overrides(defaults, base, choices):
    """`choices`, and below them what `override group: option` says of groups further down."""
    found = {}
    for entry in defaults:
        if isinstance(entry, dict):
            text, option = next(iter(entry.items()))
            if text.startswith("override "):
                path, _, where = _group_of(text, base)
                found[f"{path}@{where}" if where else path] = option
    return {**found, **choices} if found else choices


def _include_group(folder, path, option, part, where, choices, package):
    """The options of a group, each in its package."""
    from omegaconf import OmegaConf
    made = OmegaConf.create({})
    for one in option if isinstance(option, list) else [option]:
        header = None if where else _header(folder, f"{path}/{one}")
        target = _below(package, part if header is None else header)
        made = OmegaConf.merge(made, _compose(folder, f"{path}/{one}", choices, target))
    return made


def _include(folder, entry, base, choices, package):
    """What an entry of a list of defaults stands for; None: nothing."""
    if not isinstance(entry, dict):
        entry, _, where = entry.partition("@")
        path = entry[1:] if entry.startswith("/") else (f"{base}/{entry}" if base else entry)
        part = where or _header(folder, path)
        if part is None:
            part = entry.strip("/").rpartition("/")[0].replace("/", ".")
        return _compose(folder, path, choices, _below(package, part or "_here_"))
    text, option = next(iter(entry.items()))
    path, part, where = _group_of(text, base)
    option = choices.get(f"{path}@{_below(package, part)}" if where else path, option)
    if text.startswith("override ") or path.startswith("hydra/") or option is None:
        return None
    return _include_group(folder, path, option, part, where, choices, package)


def _compose(folder, name, choices, package=""):
    from hydra.core.config_store import _stored
    from omegaconf import OmegaConf
    body = _load(folder, name)
    if body is None and name in _stored:
        body = OmegaConf.to_container(OmegaConf.create(_stored[name]))
    if body is None:
        import _tilewise
        _tilewise.note(f"the configuration {folder}/{name} was not found")
        return OmegaConf.create({})
    defaults = body.pop("defaults", None) or []
    made = OmegaConf.create({})
    base = name.rpartition("/")[0]
    choices = _with_overrides(defaults, base, choices)
    for entry in list(defaults) + ([] if "_self_" in defaults else ["_self_"]):
        if entry == "_self_":
            part = _at(package, body)
        else:
            part = _include(folder, entry, base, choices, package)
        if part is not None:
            made = OmegaConf.merge(made, part)
    return made


def _build(folder, name, overrides):
    from hydra.core.config_store import _stored
    from omegaconf import OmegaConf, _typed
    choices, values, removed = {}, [], []
    _state["path"] = []
    _state["path"] = _search_path((_load(folder, name) if name else None) or {})
    for text in overrides:
        if text.startswith("-"):
            continue
        if text.startswith("~"):
            removed.append(text[1:])
            continue
        key, _, value = text.lstrip("+").partition("=")
        group, at, where = key.partition("@")
        group = group.replace(".", "/")
        path = f"{group}/{value}.yaml"
        if f"{group}/{value}" in _stored or _text(folder, path) is not None:
            choices[group + at + where] = value
        elif not key.startswith("hydra"):
            values.append((key, _typed(value)))
    config = _compose(folder, name, choices) if name else OmegaConf.create({})
    for key, option in choices.items():
        key, _, where = key.partition("@")
        if not where and OmegaConf.select(config, key.replace("/", ".")) is None:
            config = OmegaConf.merge(config, _compose(folder, f"{key}/{option}", choices,
                                                      key.replace("/", ".")))
    for key, value in values:
        OmegaConf.update(config, key, value)
    for key in removed + ["hydra"]:
        config.pop(key, None)
    return config


def main(config_path=".", config_name=None, version_base=None):
    def decorate(function):
        def run(config=None):
            if config is not None:
                return function(config)
            import os.path
            import sys
            name, overrides = config_name, []
            folder = config_path
            rest = list(sys.argv[1:])
            while rest:
                text = rest.pop(0)
                if text in ("--config-name", "-cn"):
                    name = rest.pop(0)
                elif text.startswith("--config-name="):
                    name = text.partition("=")[2]
                elif text in ("--config-path", "-cp"):
                    folder = rest.pop(0)
                elif text.startswith("--config-path="):
                    folder = text.partition("=")[2]
                else:
                    overrides.append(text)
            home = os.path.dirname(_file_of(function))
            folder = os.path.normpath(os.path.join(home, folder or "."))
            return function(_build("" if folder == "." else folder, name, overrides))
        run.__name__ = getattr(function, "__name__", "main")
        run.__wrapped__ = function
        return run
    return decorate


def _file_of(function):
    import sys
    module = sys.modules.get(getattr(function, "__module__", "__main__"))
    return getattr(module, "__file__", None) or ""


class initialize:
    def __init__(self, config_path=None, job_name=None, version_base=None, **kwargs):
        _state["folder"] = config_path or kwargs.get("config_dir") or ""

    def __enter__(self):
        return self

    def __exit__(self, *excinfo):
        pass


def initialize_config_dir(config_dir, **kwargs):
    return initialize(config_path=config_dir)


def compose(config_name=None, overrides=(), **kwargs):
    return _build(_state.get("folder", ""), config_name, list(overrides))


def __getattr__(name):
    if name in ("utils", "core"):
        import importlib
        return importlib.import_module("hydra." + name)
    raise AttributeError(f"module 'hydra' has no attribute {name!r}")
