"""Values for arguments of the command line that must be given and are not."""

import _python
import _tilewise

_PAGES = ("README.md", "../README.md", "get_started.md", "GETTING_STARTED.md", "TRAINING.md",
          "TRAIN.md", "docs/training.md")
CONFIGS = ("config", "cfg", "config_file", "config_path", "conf", "cfg_file", "yaml_file")


def take_config(action, namespace):
    """A configuration that the examples of the README name, where there is such a file."""
    for page in _PAGES:
        text = _python.read_file(page)
        for word in _after(text, action.option_strings) if text is not None else []:
            if _python.read_file(word) is not None:
                label = action.option_strings[-1]
                _tilewise.note(label + " is not given; " + word + " is taken, as " + page +
                               " has it")
                setattr(namespace, action.dest, word)
                return


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
    found = []
    if action.option_strings:
        for page in _PAGES:
            text = _python.read_file(page)
            if text is not None:
                found += [(w, "as " + page + " has it")
                          for w in _after(text, action.option_strings)]
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
        return [value] if action.nargs not in (None, "?") else value
    return _tilewise.unknown(f"argument {label}, which has no default")


def _after(text, names):
    """The values that follow an option in the examples of a text."""
    found = []
    for name in names:
        at = text.find(name)
        while at >= 0:
            rest = text[at + len(name):at + len(name) + 80]
            words = rest[1:].split() if rest[:1] in (" ", "=") else []
            word = words[0].strip("`'\",()") if words else ""
            if word and word[0] not in "-[<{$|" and (word.upper() != word or word.isdigit()):
                found.append(word)
            at = text.find(name, at + 1)
    return found
