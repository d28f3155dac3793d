"""Values for arguments of the command line that must be given and are not."""

import re
import sys

import _python
import _tilewise
from _tilewise_files import take_as_there

_PAGES = ("README.md", "../README.md", "get_started.md", "GETTING_STARTED.md", "TRAINING.md",
          "TRAIN.md", "docs/training.md")
_MOST_PAGES = 32
_pages = {}  # by the program
_STARTERS = ("python", "launch", "torchrun", "srun", "deepspeed")
CONFIGS = ("config", "cfg", "config_file", "config_path", "conf", "cfg_file", "yaml_file")


def not_defined(option):
    """Says that the command line has what the program would refuse."""
    _tilewise.note("unrecognized arguments: the command line has " + option + ", which the program "
                   "does not define; it is left out")


def page_text(page):
    """The text of a page beside the program, wherever tilewise is started; "": there is none."""
    beside = sys.argv[0].rsplit("/", 1)[0] + "/" if "/" in sys.argv[0] else ""
    return _python.read_file(beside + page) or ""


def _starts(page, program):
    text = page_text(page)
    at = text.find(program)
    while at >= 0:
        if any([word in text[text.rfind("\n", 0, at) + 1:at] for word in _STARTERS]):
            return True
        at = text.find(program, at + 1)
    return False


def pages():
    """The pages beside the program; those that start it go first, as folders of many programs have
    one for each."""
    program = sys.argv[0].rsplit("/", 1)[-1]
    if program not in _pages:
        others = [n for n in _python.list_folder(".") if n.endswith(".md") and n not in _PAGES]
        starting = [n for n in list(_PAGES) + others[:_MOST_PAGES] if _starts(n, program)]
        _pages[program] = starting + [n for n in _PAGES if n not in starting]
    return _pages[program]


def take_config(action, namespace):
    """A configuration that the examples of the README name, where there is such a file."""
    for page, word in _examples(action.option_strings):
        if _python.read_file(word) is not None:
            label = action.option_strings[-1]
            _tilewise.note(label + " is not given; " + word + " is taken, as " + page + " has it")
            setattr(namespace, action.dest, word)
            return
    if _tilewise.goes_on():  # without one nothing was read
        value = _config_of_folder(action.option_strings[-1], action.option_strings)
        if value is not None:
            setattr(namespace, action.dest, value)


def take_command(parser, action, namespace):
    """Of commands of which none is given, the one that trains."""
    for name in action.choices:
        if "train" in name or name == "fit":
            _tilewise.note("no command is given; " + name + " is taken")
            action(parser, namespace, [name])
            namespace.__dict__.pop("_extras_", None)
            return


def required(action, kind):
    """A value for what must be given: one of the README's, or of those that are listed."""
    label = action.option_strings[-1] if action.option_strings else action.dest
    if isinstance(action.default, (str, int, float)):
        _tilewise.note(label + " must be given; " + str(action.default) + " is taken, which the "
                       "program names as its default")
        value = action.default
        return kind(value) if kind is not None and isinstance(value, str) else value
    found = []
    if action.option_strings:
        found += [(w, "as " + page + " has it") for page, w in _examples(action.option_strings)]
    words = list(action.choices) if action.choices else []
    if not words and isinstance(action.help, str) and " | " in action.help:
        words = [w.split()[-1] for w in action.help.split("|") if w.strip()]
    if words:
        found.append(("fake" if "fake" in words else words[0], "one of its choices"))
    for word, where in found:
        try:
            value = kind(word) if kind is not None and isinstance(word, str) else word
        except Exception:
            continue
        if action.choices and value not in action.choices:
            continue
        if action.dest in CONFIGS and _python.read_file(str(value)) is None:
            continue
        _tilewise.note(label + " must be given; " + str(word) + " is taken, " + where)
        if isinstance(value, str):
            take_as_there(value)
        return [value] if action.nargs not in (None, "?") else value
    if action.dest in CONFIGS and kind in (str, None):
        value = _config_of_folder(label, action.option_strings)
        if value is not None:
            return value
    value = assumed(label, action.dest, kind)
    return [value] if action.nargs not in (None, "?") else value


_COUNTED = ("images", "examples", "samples", "records", "steps")
_FOLDERS = ("dir", "path", "folder", "root", "file")


def assumed(label, name, kind):
    """A value that says what it stands for; for names of models there is none."""
    low, value = name.lower().replace("-", "_"), None
    parts = getattr(kind, "__args__", None)
    if not isinstance(kind, type) and parts:
        kind = parts[0]
    if "model" in low and not low.endswith(("dir", "folder", "file")):
        found = _command_word()
        if found is not None:
            _tilewise.note(label + " must be given; " + found[0] + " is taken, as " + found[1] +
                           " has it")
            return found[0]
    elif kind is int:
        counts = any([word in low for word in _COUNTED])
        value = 8 if "batch" in low else 10_000 if counts else 1
    elif kind is float:
        value = 0.001
    elif kind is bool:
        value = False
    elif low.endswith(_FOLDERS) or low in ("data", "dataset", "out", "output"):
        value = "/tmp/" + low
    elif kind in (str, None) and not low.endswith("config"):
        value = low
    if value is None:
        return _tilewise.unknown(f"argument {label}, which has no default")
    _tilewise.note(label + " must be given; " + str(value) + " stands for it; give it with -- " +
                   label + " VALUE")
    return value


def _config_of_folder(label, options):
    """The first of the configurations beside the program that names it, or the first of all; by
    its name alone where the examples name none with its folder: `--config {DATASET}.yml`."""
    alone = False
    for page in pages():
        text = page_text(page)
        for option in options:
            words = text.split(option)[1].split() if option in text else []
            alone = alone or bool(words) and words[0][0] in "{<[" and "/" not in words[0]
    folders = ("configs", "config", "cfgs", "cfg", "conf")
    for folder in [up + folder for up in ("", "../") for folder in folders]:
        found = _configurations(folder)
        stem = sys.argv[0].rsplit("/", 1)[-1].rsplit(".", 1)[0]
        word = re.compile("(^|[^a-zA-Z0-9_])" + re.escape(stem) + "([^a-zA-Z0-9_]|$)")
        naming = [name for name in found
                  if word.search(_python.read_file(folder + "/" + name) or "")]
        for name in naming or found:
            if "/" in name and not naming:
                break
            _tilewise.note(f"{label} must be given; {name} of the folder {folder} is taken; "
                           f"give it with -- {label} VALUE")
            return name if alone else folder + "/" + name
    return None


def _configurations(folder):
    """The configurations of a folder, and then of those in it."""
    names = _python.list_folder(folder)
    found = [name for name in names if name.endswith((".yaml", ".yml", ".json"))]
    for inner in [name for name in names if name.endswith("/")][:32]:
        found += [inner + name for name in _python.list_folder(folder + "/" + inner[:-1])
                  if name.endswith((".yaml", ".yml", ".json"))]
    return found[:256]


def missing(name):
    """A value for an option without which the program goes no further."""
    label = "--" + name
    for page, word in _examples([label, " -" + name]):
        _tilewise.note(label + " must be given; " + word + " is taken, as " + page + " has it")
        return int(word) if word.isdigit() else word
    return assumed(label, name, str)


def _command_word():
    """(word, page) of the first thing that examples give a command of the program's name."""
    stem = sys.argv[0].rsplit("/", 1)[-1].rsplit(".", 1)[0]
    for page in pages():
        words = page_text(page).split()
        for i in range(1, len(words) - 1):
            word = words[i + 1]
            if words[i] == stem and words[i - 1].isidentifier() and "/" in word and \
                    word[0].isalpha():
                return word, page
    return None


def _examples(names):
    """(page, word) that follows an option; first of the commands that start this program."""
    program, found, others = sys.argv[0].rsplit("/", 1)[-1], [], []
    for page in [program] + pages():
        text = page_text(page)
        own, inside = "", False
        for line in text.split("\n"):
            inside = inside or program in line
            if inside:
                own += line.rstrip("\\ ") + " "
            inside = inside and line.rstrip().endswith("\\")
        found += [(page, w) for w in _after(own, names, text)]
        others += [(page, w) for w in _after(text, names, text)]
    return found + others


def exported(text, name):
    """What examples set a variable of the shell to; "" where they do not."""
    at = text.find(name + "=") if name else -1
    while at > 0 and (text[at - 1].isalnum() or text[at - 1] == "_"):  # of a longer name
        at = text.find(name + "=", at + 1)
    if at < 0:
        return ""
    line = text[at + len(name) + 1:at + len(name) + 161].split("\n")[0]
    return line.split(" #")[0].strip("\"' ")


def _after(text, names, page):
    """The values that follow an option in the examples of a text, which is of a page."""
    found = []
    for name in names:
        at = text.find(name)
        while at >= 0:
            rest = text[at + len(name):at + len(name) + 80]
            words = rest[1:].split() if rest[:1] in (" ", "=") else []
            word = words[0].strip("`'\",()") if words else ""
            if word[:1] == "$":
                word = exported(page, word.strip("${}"))
            if word and word[0] not in "-[<{$|" and (word.upper() != word or word.isdigit()):
                found.append(word)
            at = text.find(name, at + 1)
    return found
