"""Commands that start a program, in its own text and in pages and scripts beside it."""

import sys

import _python
from _tilewise_arguments import exported, page_text, pages
from _tilewise_commands import program_of, words_of

# Pages are written by people: what is longer is no example.
_MOST_COMMANDS = 64
_LONGEST = 4096
_LONGEST_PAGE = 65_536
_MOST_SCRIPTS = 16

_FOLDERS = ("", "scripts", "../scripts", "script", "bin", "examples", "../examples")
# Scripts lie deeper there, by model and data.
_SETTINGS = ("config", "configs", "../config", "../configs")


def arguments():
    """The arguments of the command that most likely trains; []: there is none."""
    program = sys.argv[0].rsplit("/", 1)[-1]
    if program == "__main__.py":  # `python -m package` starts it
        from os.path import abspath
        program = abspath(sys.argv[0]).rsplit("/", 2)[-2] + ".py"
    if not program.endswith(".py"):
        return []
    best, most = [], -1
    for page in [sys.argv[0]] + _pages():
        text = _python.read_file(page) or ""
        if page == sys.argv[0]:  # its own text may say how it is used, in comments as well
            text = "\n".join([line.lstrip("# ") for line in text.split("\n")]) \
                if program in text else ""
        for line in _commands(text, program):
            words = _arguments(line, program, text)
            score = _score(line, words)
            if words and score > most:
                best, most = words, score
    return best


def _pages():
    found = pages() + ["../../README.md"]
    for folder in ("docs", "../docs"):
        found += [folder + "/" + n for n in _python.list_folder(folder) if n.endswith(".md")]
    own = [n[:-1] for n in _python.list_folder(".") if n.endswith("scripts/")]
    deeper = [f for root in _SETTINGS for f in _with_inner(root, 2)]
    for folder in list(_FOLDERS) + [n for n in own if n not in _FOLDERS] + deeper:
        for name in _python.list_folder(folder or "."):
            if name.endswith(".sh"):
                found.append(folder + "/" + name if folder else name)
    for page in pages():
        found += [p for p in _linked_scripts(page) if p not in found]
    beside = sys.argv[0].rsplit("/", 1)[0] + "/" if "/" in sys.argv[0] else ""
    return [beside + page for page in found]


def _linked_scripts(page):
    """The scripts that a page names, the first ones."""
    folder, found = page[:page.rfind("/") + 1], []
    for part in page_text(page)[:_LONGEST_PAGE].split(".sh")[:-1]:
        begin = len(part)
        while begin > 0 and (part[begin - 1].isalnum() or part[begin - 1] in "._-/"):
            begin -= 1
        name = folder + part[begin:] + ".sh"
        if begin < len(part) and part[begin] != "/" and name not in found:
            found.append(name)
    return found[:_MOST_SCRIPTS]


def _with_inner(folder, depth):
    """A folder and those in it."""
    found = [folder]
    for name in _python.list_folder(folder) if depth else []:
        if name.endswith("/"):
            found += _with_inner(folder + "/" + name[:-1], depth - 1)
    return found


def _commands(text, program):
    """The lines that name the program, each with those that continue it."""
    module = program[:-3]
    if program not in text and "-m " not in text:
        return []
    found, whole = [], ""
    lines = text.split("\n")
    for i, line in enumerate(lines):
        whole += line.rstrip().rstrip("\\") + " "
        # Pages forget the backslash before an option on a line of its own.
        if line.rstrip().endswith("\\") or \
                program in whole and "".join(lines[i + 1:i + 2]).strip()[:2] == "--":
            continue
        if len(whole) <= _LONGEST and (program in whole or "-m " in whole and module in whole):
            found.append(whole)
        whole = ""
    return found[:_MOST_COMMANDS]


def _arguments(line, program, text):
    """What a command gives the program; []: it does not start it."""
    at = line.find("python")
    line = line[at:] if at >= 0 else line.strip().lstrip("$>! ")
    begin = line.find("`date")
    end = line.find("`", begin + 1)
    if 0 <= begin < end:  # the time of the run, in names of folders
        line = line[:begin] + "now" + line[end + 1:]
    line = line.split("`")[0].split(" && ")[0].split(" | ")[0].split(" 2>")[0]
    found = program_of(words_of(line))
    if found is None or found[0].rsplit("/", 1)[-1] != program and \
            found[0].rsplit(".", 1)[-1] != program[:-3]:
        return []
    words, until = [], ""
    # `main.py -- --config=..`: absl takes what stands behind as flags all the same.
    for word in found[1][1:] if found[1][:1] == ["--"] else found[1]:
        if word in ("$@", "$*") or word[:1] == "$" and word[1:].isdigit():
            continue  # what the script's own caller gives
        word = _filled(_substituted(word), text)
        if until:  # a place of several words: [folder with train and val]
            until = "" if until in word else until
            continue
        if word in ("&", ";", "#") or word[:1] == ">":
            break
        if any([c in _without_ranges(word) for c in "<>[]{}"]) or "..." in word:
            # A place for a value that the reader of the page has.
            if not word.startswith("-") and words and words[-1].startswith("-") and \
                    "=" not in words[-1]:
                words.pop()
            close = {"<": ">", "[": "]"}.get(word[:1], "")
            until = "" if close in word else close
            continue
        words.append(word)
    return words


def _substituted(word):
    """A word with the sums $((..)) done; what another command $(..) prints is not known."""
    while "$(" in word:
        begin = word.find("$(")
        end, open_now = begin + 2, 1
        while end < len(word) and open_now:
            open_now += {"(": 1, ")": -1}.get(word[end], 0)
            end += 1
        inner = word[begin + 2:end - 1]
        value = "now"
        sums = all([c in "0123456789+-*/%() " for c in inner]) and "**" not in inner
        if inner[:1] == "(" and sums:
            try:
                value = str(eval(inner.replace("/", "//")))
            except (SyntaxError, ZeroDivisionError):
                pass
        word = word[:begin] + value + word[end:]
    return word


def _without_ranges(word):
    """A word without what the shell, or a list of shards, counts through: {0000..1023}."""
    parts = word.split("{")
    for i in range(1, len(parts)):
        inner, closed, rest = parts[i].partition("}")
        first, _, last = inner.partition("..")
        parts[i] = rest if closed and first.isdigit() and last.isdigit() else "{" + parts[i]
    return "".join(parts)


def _filled(word, text):
    """A word with the variables that the page sets; others are places."""
    for _ in range(4):
        at = word.find("$")
        if at < 0:
            break
        end = at + 1
        if word[end:end + 1] == "{":
            end = word.find("}", end) + 1
        else:
            while end < len(word) and (word[end].isalnum() or word[end] == "_"):
                end += 1
        if end <= at + 1:
            break
        name = word[at:end].strip("${}")
        word = word[:at] + (exported(text, name) or "/tmp/" + name.lower()) + word[end:]
    return word


def _score(line, words):
    # The names of files say what was trained before.
    low = " ".join([w for w in line.lower().split() if "/" not in w or w.endswith(".py")])
    score = 1 if "tpu" in low else 0
    if "..." in low:  # the page leaves arguments out
        score -= 1
    if "train" in low:
        score += 2
    if "train" in words or "fit" in words:  # a command of its own, no part of a path
        score += 2
    given = " ".join([w for w in words if "/" not in w]).lower()
    if "train" not in given and any([w in given for w in ("eval", "predict", "test", "infer")]):
        score -= 1
    return score
