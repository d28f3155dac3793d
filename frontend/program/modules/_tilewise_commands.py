"""Commands of notebooks that start programs: %run, !python, torchrun, accelerate launch."""

import sys

import _python
import _tilewise

_LAUNCHERS = ("python", "python3", "torchrun", "accelerate", "deepspeed", "ipython", "xla_spawn.py")
# Options of launchers that take a value.
_VALUED = ("--nproc_per_node", "--nproc-per-node", "--nnodes", "--node_rank", "--master_addr",
           "--master_port", "--num_processes", "--num_machines", "--mixed_precision",
           "--config_file", "--num_cores", "--num_gpus", "-W", "-X")


def words_of(text):
    """The words of a command, quotes taken off."""
    words, word, quote, inside = [], None, None, 0
    for c in text.replace("\\\n", " "):
        # $(a command) and $((a sum)) are parts of their word.
        inside += {"(": inside > 0 or (word or "").endswith("$"), ")": -(inside > 0)}.get(c, 0)
        if inside:
            word = (word or "") + c
        elif quote is not None:
            if c == quote:
                quote = None
            else:
                word += c
        elif c in "'\"":
            word, quote = word or "", c
        elif c in " \t\n":
            if word is not None:
                words.append(word)
            word = None
        else:
            word = (word or "") + c
    return words if word is None else words + [word]


def program_of(words):
    """(file, arguments) that the words start; None: no program."""
    while words and ("=" in words[0] or words[0] in ("time", "nohup", "sudo", "env", "%time")):
        words = words[1:]
    if not words:
        return None
    first = words[0].rsplit("/", 1)[-1]
    if first not in _LAUNCHERS and not first.endswith(".py"):
        return None
    rest = words if first.endswith(".py") and first != "xla_spawn.py" else words[1:]
    i = 0
    while i < len(rest):
        word = rest[i]
        if word == "-m" and i + 1 < len(rest):
            name = rest[i + 1]
            if name in ("torch.distributed.launch", "torch.distributed.run",
                        "torch_xla.distributed.xla_dist", "accelerate.commands.launch"):
                i += 2
                continue
            return name.replace(".", "/") + ".py", rest[i + 2:]
        if word in _VALUED:
            i += 2
        elif word.startswith("-") or word == "launch" or not word.endswith(".py"):
            i += 1
        else:
            return word, rest[i + 1:]
    return None


class Runner:
    def __init__(self, commands, main):
        self.commands, self.main, self.folder = commands, main, ""

    def __call__(self, i):
        text = self.commands[i].strip()
        shared = text.startswith("%run")
        text = text[4:] if shared else text.lstrip("!%")
        for part in text.replace("&&", ";").split(";"):
            self.one(words_of(part), shared)

    def one(self, words, shared):
        if not words or words[0].startswith("#"):
            return
        if words[0] == "cd" and len(words) > 1:
            self.folder = words[1].rstrip("/") + "/"
            return
        found = (words[0], words[1:]) if shared else program_of(words)
        if found is None:
            return
        path, arguments = found
        # One file has one name in what is said of it.
        while path.startswith("./"):
            path = path[2:]
        if shared and not path.endswith(".py"):
            path += ".py"
        arguments = [self.value(a) for a in arguments]
        for candidate in (self.folder + path, path, path.rsplit("/", 1)[-1]):
            if _python.read_file(candidate) is not None:
                self.run(candidate, arguments, shared)
                return
        _tilewise.note("the program " + path + " is not beside the notebook; it is not read")

    def value(self, word):
        """{name} and $name are values of the notebook."""
        name = word[1:-1] if word.startswith("{") and word.endswith("}") else \
            word[1:] if word.startswith("$") else ""
        if name.isidentifier() and hasattr(self.main, name):
            return str(getattr(self.main, name))
        return word

    def run(self, path, arguments, shared):
        before, folders = sys.argv, list(sys.path)
        sys.argv = [path] + arguments
        sys.path.insert(0, path.rsplit("/", 1)[0] if "/" in path else ".")
        try:
            module = _python.run(path)
        except SystemExit:
            module = None
        finally:
            sys.argv = before
            sys.path[:] = folders
        if shared and module is not None:
            for name, value in vars(module).items():
                if not name.startswith("__"):
                    setattr(self.main, name, value)


def runner(commands, main):
    return Runner(commands, main)
