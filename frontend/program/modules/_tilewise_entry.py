"""What trains in a file that runs nothing by itself: its functions are called."""

import sys

import _python
import _tilewise

_NAMES = ("main", "train_and_evaluate", "train", "run_training", "training_loop", "train_model",
          "do_train", "run", "fit")
_CONFIGS = ("configs/default.py", "configs/config.py", "configs/base.py", "config.py",
            "default.py")


def _commands(text):
    """Commands `-m a.b --config=c.py:d --config.e=f` in a text, as (a.b, c.py, d, [(e, f)])."""
    found, trainer, wanted, started = [], "", "", False
    for word in text.split():
        word = word.strip("'\"`\\,;")
        begins, started = started, word.startswith("python")
        given, equals, value = word.partition("=")
        if wanted:
            given, value, wanted = wanted, word, ""
        elif word == "-m" or not equals and given.startswith("--config"):
            wanted = given
            continue
        if given == "-m" or _is_dotted(word):
            trainer = value or word
        elif begins and word.endswith(".py"):
            trainer = word[:-3].lstrip("./").replace("/", ".")
        elif given == "--config":
            path, _, argument = value.strip("'\"").partition(":")
            if path.endswith(".py") or trainer:
                found.append((trainer, path, argument, []))
        elif given.startswith("--config.") and found:
            found[-1][3].append((given[9:], value.strip("'\"")))
        elif given.startswith("python"):
            trainer = ""
    return found


def _is_dotted(word):
    return "." in word and all([part.isidentifier() for part in word.split(".")]) and \
        not word.endswith((".py", ".sh", ".md", ".ipynb"))


_given = []  # the (configuration, file) that is read


def given_config(path):
    """The configuration that is read where that is its file; else None."""
    return _given[0][0] if _given and _given[0][1] == path else None


def default_config():
    """(configuration, file) that get_config() of a file beside the program gives."""
    if _given:
        return _given[0]
    for path in _CONFIGS:
        text = _python.read_file(path)
        if text is None or "def get_config(" not in text:
            continue
        module = _python.import_module(path[:-3].replace("/", "."))
        return module.get_config(), path
    program = sys.argv[0].split("/")[-1] if sys.argv else ""
    for page in ("README.md", "../README.md", "../../README.md"):
        for trainer, path, argument, _ in _commands(_python.read_file(page) or ""):
            path = path[max(path.find("configs/"), 0):]
            if trainer and program and trainer.split(".")[-1] + ".py" != program or \
                    not path.startswith("configs/"):
                continue
            module = _python.import_module(path[:-3].replace("/", "."))
            if not _tilewise.is_unknown(module) and hasattr(module, "get_config"):
                config = module.get_config(argument) if argument else module.get_config()
                named = path + (":" + argument if argument else "")
                return config, named + ", which " + page + " names,"
    path = _first_config()
    if path is not None:
        module = _python.import_module(path[:-3].replace("/", "."))
        return module.get_config(), path
    return None, ""


def _first_config():
    """The first file of the folder of configurations, or of one below it, that makes one."""
    folders = ["configs", "config"]
    for folder in folders:
        names = _python.list_folder(folder)
        if folder.count("/") < 3:
            folders += [folder + "/" + n[:-1] for n in names if n[-1] == "/"]
        for name in names:
            path = folder + "/" + name
            if name.endswith(".py") and "\ndef get_config():" in (_python.read_file(path) or ""):
                return path
    return None


_ARGUMENTS = ("args", "opt", "opts", "hparams", "hps", "params", "config", "cfg")


class Caller:
    def __init__(self, name, names=None, called=False):
        self.name, self.assumed, self.names = name, [], names or {}
        self.called = called  # by the program itself, where it did not come to its end
        self.whole = False  # it was started as a user would start it

    def value(self, parameter):
        made = self.names.get(parameter)
        if self.called and parameter in self.names and not _tilewise.is_unknown(made):
            self.assumed.append(parameter + " as the module has it")
            return made
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
            return list(sys.argv)
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
        if self.called and all([a.endswith("as the module has it") for a in self.assumed]):
            return  # it would end where it has ended
        text = self.name + ("() is read again with " if self.called else
                            "() is called by nothing here; it is read with ")
        _tilewise.note(text + (", ".join(self.assumed) or "its defaults"))
        function(*positional, **named)


def is_plain(kind):
    """Whether a value of that annotation may come from a command line."""
    return kind in (str, int, float, bool) or getattr(kind, "__name__", "") == "Path"


def called_at_top(name, text):
    """Whether a statement of the module's own level calls a function."""
    own = True
    for line in text.split("\n"):
        if line[:1].strip() and line[:1] not in ")]":
            own = not line.startswith(("def ", "class ", "async ", "@"))
        if own and " " + name + "(" in " " + line.replace("=", " "):
            return True
    return False


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


def run_given(given):
    """Functions that something that is not known was given, such as a step for an engine to run:
    they are called with a batch."""
    loaders = sys.modules["torch.utils.data"].made if "torch.utils.data" in sys.modules else []
    for function in given if loaders else []:
        needed = [row[0] for row in _python.signature(function) if not row[2]]
        if not 1 <= len(needed) <= 3:
            continue
        name = getattr(function, "__name__", "a function")
        others = [_tilewise.unknown("`" + n + "` of " + name + "()") for n in needed[:-1]]
        try:
            function(*others, next(iter(loaders[0])))
        except Exception as error:
            _tilewise.note(name + "() ends with " + type(error).__name__ + ": " + str(error))
        if trained():
            _tilewise.note(name + "() is given to what is not known, which is taken to call it "
                           "with the batches of the program's first loader")
            return


def run(names, module, text, given=()):
    """`text`: that of the program. `given`: functions that were given to what is not known."""
    if trained():
        return
    run_given(given)
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
    if likely and "__main__" not in text and run_starter(names, likely):
        return
    likely, below = callers_first(likely, own, text)
    done = []
    for name in likely[:6]:
        if name in done:
            continue
        caller = Caller(name, names, called_at_top(name, text))
        try:
            caller.call(own[name])
        except Exception as error:
            _tilewise.note(name + "() ends with " + type(error).__name__ + ": " + str(error))
        if trained():
            return
        if caller.whole:
            done += below.get(name, [])
    # What is started by itself holds no settings of another program.
    if "get_config" in own or not likely and not own and "__main__" not in text:
        try:
            run_configuration(names)
        except Exception as error:
            _tilewise.note("get_config() ends with " + type(error).__name__ + ": " + str(error))


def _imports(text, module, package):
    """Whether a text imports a module, by its name or from the package that it lies in."""
    for line in text.split("\n"):
        words = line.replace(",", " ").split()
        if words[:1] == ["import"] and any([w.split(".")[-1] == module for w in words[1:]]):
            return True
        if words[:1] == ["from"] and len(words) > 3:
            last = words[1].split(".")[-1]
            # The folder of a file that is named alone is not known: it is no file beside.
            holds = last in ("", package) or not package and \
                _python.read_file(words[1].replace(".", "/") + ".py") is None
            if last == module or holds and module in words[3:]:
                return True
    return False


def _trains_with(file, arguments, folders=()):
    """Whether the program `file`, run with a command line, trains; what it sets is taken back."""
    before, path = sys.argv, list(sys.path)
    sys.argv = [file] + arguments
    for folder in folders:
        sys.path.insert(0, folder)
    try:
        _python.run(file)
    except SystemExit:
        pass
    except Exception as error:
        _tilewise.note(file + " ends with " + type(error).__name__ + ": " + str(error))
    sys.argv = before
    sys.path[:] = path
    return trained()


def run_starter(names, likely):
    """Whether a program beside the file that imports it, and calls its function, trains."""
    own = names.get("__file__")
    if not isinstance(own, str) or not own.endswith(".py"):
        return False
    beside = own.rpartition("/")[0] + "/" if "/" in own else ""
    module = own.rsplit("/", 1)[-1][:-3]
    found = []
    for name in _python.list_folder(beside or ".")[:64]:
        if not name.endswith(".py") or beside + name == own:
            continue
        text = _python.read_file(beside + name) or ""
        calls = any([n + "(" in text or n + "," in text for n in likely])
        package = beside.rstrip("/").rpartition("/")[2]
        if "__main__" in text and calls and _imports(text, module, package):
            found.append(beside + name)
    for file in found[:2]:
        _tilewise.note("what trains here is called by " + file + ", which is read as it starts")
        if _trains_with(file, list(sys.argv[1:])):
            return True
    return False


_TRAINERS = ("../train.py", "train.py", "../main.py", "../../train.py")


def run_configuration(names):
    """A file of settings: the program that takes such files, which its text or its place names."""
    path = names.get("__file__")
    if not isinstance(path, str):
        return
    argument, changes, made = "", [], names.get("get_config")
    own = _commands(_python.read_file(path) or "")
    beside = path.rpartition("/")[0] + "/" if "/" in path else ""
    pages = [beside + "../" * i + "README.md" for i in range(6)]
    commands = own + [c for page in pages for c in _commands(_python.read_file(page) or "")]
    last = path.split("/")[-1]
    named = [c for c in commands if c[1].split("/")[-1] == last]
    # The text of the file may still have an earlier name of it.
    near = [] if named or own or not callable(made) else _programs_above(beside)
    for file in near:
        if run_as_program(file, path, made, "", []):
            return
    others_here = []
    for command in commands:
        if command[0] and command[0] not in [c[0] for c in others_here]:
            others_here.append(command)
    for trainer, _, more, others in named or own or others_here[:4]:
        if (named or own) and not argument and not changes:
            argument, changes = more, others
        files = [beside + "../" * i + trainer.replace(".", "/") + ".py" for i in range(6)]
        files = [f for f in files if trainer and _python.read_file(f) is not None]
        why = ", as its text or README says" if named or own else \
            ", which a README near it gives another one"
        if files and callable(made) and \
                run_as_program(files[0], path, made, argument, changes, trainer + why):
            return
        module = _python.import_module(trainer) if trainer else None
        if module is not None and not _tilewise.is_unknown(module) and hasattr(module, "main"):
            _tilewise.note("the file is read as the configuration of " + trainer + why)
            run_trainer(module, path, made, argument, changes)
            return
    for trainer in _TRAINERS:
        text = _python.read_file(trainer)
        if text is None or "config" not in text:
            continue
        takes_flags = "DEFINE_config_file" in text
        sys.argv = [trainer, "--config=" + path if takes_flags else path]
        _tilewise.note("the file is read as the configuration of " + trainer)
        module = _python.import_module("train" if "train" in trainer else "main")
        if not trained() and hasattr(module, "main"):
            run_trainer(module, path, made if takes_flags else None, argument, changes)
        return


def _programs_above(beside):
    """Programs in the folders above that take a configuration, the nearest first."""
    found = []
    for i in range(1, 4):
        for name in ("main.py", "train.py"):
            text = _python.read_file(beside + "../" * i + name) or ""
            if "config" in text and "__main__" in text:
                found.append(beside + "../" * i + name)
    return found[:2]


def said(argument, changes):
    words = ([argument] if argument else []) + [k + "=" + v for k, v in changes]
    if words:
        _tilewise.note("the command there gives it " + ", ".join(words))


def run_as_program(file, path, made, argument, changes, program=""):
    """Whether a program that is started with the configuration trains."""
    import os.path
    file = os.path.normpath(file)
    _tilewise.note("the file is read as the configuration of " + (program or file))
    said(argument, changes)
    _given[:] = [(made(argument) if argument else made(), path)]
    folder = file.rpartition("/")[0]
    text, package = "\n" + (_python.read_file(file) or ""), folder.rpartition("/")[2]
    if package and any(["\n" + word + package + "." in text for word in ("from ", "import ")]):
        # `python -m package.train` puts the folder of the package on the path.
        folder = folder.rpartition("/")[0]
    arguments = ["--config=" + path] + ["--config." + k + "=" + v for k, v in changes]
    return _trains_with(file, arguments, [folder or "."])


def run_trainer(module, path, made, argument, changes):
    """main() of a program whose flag --config is what get_config() of the file gives."""
    if callable(made):
        from absl import flags
        sys.argv = [getattr(module, "__file__", "train.py"), "--config=" + path]
        flags.FLAGS(sys.argv)
        config = made(argument) if argument else made()
        for key, value in changes:
            flags._override(config, key, value)
        said(argument, changes)
        for flag in list(flags.FLAGS.__dict__["_flags"].values()):
            if getattr(flag, "kind", "") == "config":
                flag.value = config
        from absl import app
        app.tried(Caller("main").call, module.main)
    else:
        Caller("main").call(module.main)
