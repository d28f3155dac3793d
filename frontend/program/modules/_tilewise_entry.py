"""What trains in a file that runs nothing by itself: its functions are called."""

import _python
import _tilewise

_NAMES = ("main", "train_and_evaluate", "train", "run_training", "training_loop", "train_model",
          "do_train", "run", "fit")
_CONFIGS = ("configs/default.py", "configs/config.py", "configs/base.py", "config.py",
            "default.py")


def default_config():
    """(configuration, file) that get_config() of a file beside the program gives."""
    for path in _CONFIGS:
        text = _python.read_file(path)
        if text is None or "def get_config(" not in text:
            continue
        module = _python.import_module(path[:-3].replace("/", "."))
        return module.get_config(), path
    for page in ("README.md", "../README.md", "../../README.md"):
        for word in (_python.read_file(page) or "").split():
            at = word.find("configs/")
            if not word.startswith("--config=") or at < 0:
                continue
            path, _, argument = word[at:].strip("'\"`\\").partition(":")
            module = _python.import_module(path[:-3].replace("/", "."))
            if not _tilewise.is_unknown(module) and hasattr(module, "get_config"):
                config = module.get_config(argument) if argument else module.get_config()
                return config, word[at:] + ", which " + page + " names,"
    return None, ""


_ARGUMENTS = ("args", "opt", "opts", "hparams", "hps", "params", "config", "cfg")


class Caller:
    def __init__(self, name, names=None):
        self.name, self.assumed, self.names = name, [], names or {}
        self.whole = False  # it was started as a user would start it

    def value(self, parameter):
        made = self.names.get(parameter)
        if parameter in _ARGUMENTS and not _tilewise.is_unknown(made) and \
                hasattr(made, "__dict__") and not callable(made):
            self.assumed.append(parameter + " as the module has it")
            return made
        if parameter in ("config", "cfg", "conf", "c"):
            config, path = default_config()
            if config is not None:
                self.assumed.append(parameter + " as " + path + " has it")
                return config
        if parameter.endswith(("dir", "path", "folder")):
            return "/tmp/" + parameter
        if parameter in ("argv", "_", "unused_argv", "_argv"):
            return []
        if parameter in ("rank", "local_rank", "index", "gpu", "process_id"):
            return 0
        if parameter in ("world_size", "ngpus", "num_replicas"):
            return _tilewise.replicas()
        self.assumed.append(parameter + " not known")
        return _tilewise.unknown(parameter + ", which the caller of " + self.name + "() gives")

    def call(self, function):
        import sys
        kinds = getattr(function, "__annotations__", None) or {}
        rows = _python.signature(function)
        needed = [name for name, _, has, _ in rows if not has]
        if len(needed) < len(rows) and (needed or len(sys.argv) > 1) and \
                all([is_plain(kinds.get(name)) for name in needed]):
            import jsonargparse
            given, others = jsonargparse.settings(list(sys.argv[1:]))
            _tilewise.note(self.name + "() is called by nothing here; it is read with its "
                           "defaults and the arguments that are given")
            self.whole = True
            jsonargparse.called(function, given, others)
            return
        positional, named = [], {}
        for name, kind, has_default, _ in _python.signature(function):
            if has_default or kind in ("var_positional", "var_keyword"):
                continue
            if kind == "keyword_only":
                named[name] = self.value(name)
            else:
                positional.append(self.value(name))
        text = self.name + "() is called by nothing here; it is read with "
        _tilewise.note(text + (", ".join(self.assumed) or "its defaults"))
        function(*positional, **named)


def is_plain(kind):
    """Whether a value of that annotation may come from a command line."""
    return kind in (str, int, float, bool) or getattr(kind, "__name__", "") == "Path"


def callers_first(names, own, text):
    """The functions with those that call them put before them; and which those call."""
    blocks, name = {}, None
    for line in text.split("\n"):
        if line.startswith("def "):
            name = line[4:].partition("(")[0].strip()
            blocks[name] = ""
        elif line[:1].strip() and line[:1] not in ")]":
            name = None
        elif name is not None:
            blocks[name] += line + "\n"
    found, below = [], {}
    for one in names:
        chain = [one]
        for _ in range(4):
            above = [n for n in own if n not in chain and n + "(" not in blocks.get(n, "") and
                     " " + chain[-1] + "(" in blocks.get(n, "").replace("=", " ")]
            if not above:
                break
            chain.append(above[0])
        found += [n for n in reversed(chain) if n not in found]
        for i in range(len(chain)):
            below[chain[i]] = below.get(chain[i], []) + chain[:i]
    return found, below


def trained():
    parts, updates = _tilewise.trained()
    return parts + updates > 0


def run(names, module, text):
    """`text`: that of the program."""
    if trained():
        return
    own = {}
    for name, value in list(names.items()):
        if not _tilewise.is_unknown(value) and callable(value) and \
                not isinstance(value, type) and \
                getattr(value, "__module__", None) == module:
            own[name] = value
    likely = [n for n in _NAMES if n in own]
    likely += [n for n in own if n not in likely and ("train" in n or "fit" in n.split("_"))]
    likely, below = callers_first(likely, own, text)
    done = []
    for name in likely[:6]:
        if name in done:
            continue
        caller = Caller(name, names)
        try:
            caller.call(own[name])
        except Exception as error:
            _tilewise.note(name + "() ends with " + type(error).__name__ + ": " + str(error))
        if trained():
            return
        if caller.whole:
            done += below.get(name, [])
    if "get_config" in own or not likely and not own:
        run_configuration(names)


_TRAINERS = ("../train.py", "train.py", "../main.py", "../../train.py")


def run_configuration(names):
    """A file of settings: the program beside it, or above it, that takes such files."""
    path = names.get("__file__")
    if not isinstance(path, str):
        return
    for trainer in _TRAINERS:
        text = _python.read_file(trainer)
        if text is None or "config" not in text:
            continue
        import sys
        takes_flags = "DEFINE_config_file" in text
        sys.argv = [trainer, "--config=" + path if takes_flags else path]
        _tilewise.note("the file is read as the configuration of " + trainer)
        module = _python.import_module("train" if "train" in trainer else "main")
        if not trained() and hasattr(module, "main"):
            if takes_flags:
                from absl import flags
                flags.FLAGS(sys.argv)
                made = names.get("get_config")
                for flag in list(flags.FLAGS.__dict__["_flags"].values()):
                    if getattr(flag, "kind", "") == "config" and callable(made):
                        flag.value = made()
            Caller("main").call(module.main)
        return
