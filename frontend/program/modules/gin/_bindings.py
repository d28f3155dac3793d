"""What gin binds: `name.argument = value`, by the last part of each configurable's name."""

import functools
import importlib

import _python
import _tilewise

BOUND = {}  # by scope and plain name of a configurable: argument -> text of its value
MACROS = {}
SEARCHED = []  # folders of files
_NAMED = {}
_MODULES = {}  # by the name that a file imports them as
_scopes = []  # of the call that is made
_files = set()


class _Required:
    pass


REQUIRED = _Required()


def known(name):
    """The configurable of that name, or what a module has under it that a file imports."""
    for n in (name, name.split(".")[-1]):
        if n in _NAMED:
            return _NAMED[n]
    parts = name.split(".")
    for i in range(len(parts) - 1, 0, -1):
        found = _MODULES.get(".".join(parts[:i]))
        for part in parts[i:] if found is not None else ():
            found = getattr(found, part, None)
        if callable(found):
            return _wrapped(found, parts[-1])
    return _tilewise.unknown("what @" + name + " of a gin file names")


class config_scope:
    """Settings of the scope count in it, before those of none."""

    def __init__(self, name):
        own = name.split("/") if isinstance(name, str) else list(name or [])
        self.now = _scopes + own if isinstance(name, str) else own

    def __enter__(self):
        self.before = list(_scopes)
        _scopes[:] = self.now
        return self

    def __exit__(self, *error):
        _scopes[:] = self.before
        return False


def _in_scope(function, scope):
    def called(*args, **kw):
        with config_scope(scope.split("/")):
            return function(*args, **kw)
    return called


def _reference(text):
    called = text.endswith("()")
    scope, _, name = text[1:-2 if called else None].rpartition("/")
    found = known(name)
    if scope and callable(found):
        found = _in_scope(found, scope)
    return found() if called and callable(found) else found


def _macro(text):
    if text == "%gin.REQUIRED":
        return _tilewise.unknown("a setting of a gin file that has to be given")
    kept = MACROS.get(text[1:], MACROS.get(text[1:].split(".")[-1]))
    if kept is None:
        return _tilewise.unknown("the macro " + text + " of a gin file")
    return _value(kept) if isinstance(kept, str) else kept


def _value(text):
    text = text.strip()
    if text[:1] == "@":
        return _reference(text)
    if text[:1] == "%":
        return _macro(text)
    if text[:1] in ("(", "[", "{") and ("@" in text or "%" in text):
        parts = _parts(text[1:-1])
        if text[0] == "{":
            return {_value(k): _value(v) for k, _, v in [p.partition(":") for p in parts]}
        values = [_value(p) for p in parts]
        return tuple(values) if text[0] == "(" else values
    try:
        return _python.literal_eval(text)
    except (ValueError, SyntaxError):
        return _tilewise.unknown("the value " + text + " of a gin file")


def _parts(text):
    found, depth, now = [], 0, ""
    for c in text:
        depth += (c in "([{") - (c in ")]}")
        if c == "," and not depth:
            found.append(now)
            now = ""
        else:
            now += c
    return found + ([now] if now.strip() else [])


def _names_of(function, name):
    own = name if isinstance(name, str) else getattr(function, "__name__", "")
    return own.split(".")[-1]


def _fill(function, plain, args, kw):
    """Adds what is bound of the arguments that the call does not give."""
    bound = dict(BOUND.get(plain, {}))
    for i in range(len(_scopes)):
        bound.update(BOUND.get("/".join(_scopes[:i + 1]) + "/" + plain, {}))
    rows = [p for p in _python.signature(function) if p[0] != "self"]
    required = [p[0] for p in rows[len(args):] if p[3] is REQUIRED]
    required += [name for name, value in kw.items() if value is REQUIRED]
    taken = [p[0] for p in rows[:len(args)]]
    for argument, text in bound.items():
        if argument not in taken and kw.get(argument, REQUIRED) is REQUIRED:
            kw[argument] = _value(text)
    for argument in required:
        if kw.get(argument, REQUIRED) is REQUIRED:
            kw[argument] = _tilewise.unknown(plain + "." + argument + ", which a gin file must "
                                             "give (-- --gin_file FILE)")


def _wrapped(function, plain):
    def called(*args, **kw):
        _fill(function, plain, args, kw)
        return function(*args, **kw)
    return called


def configurable(target=None, module=None, allowlist=None, denylist=None, **kw):
    if target is None or isinstance(target, str):
        return lambda f: _registered(f, target)
    return _registered(target, None)


def _registered(target, name):
    plain = _names_of(target, name)
    if isinstance(target, type):
        old = target.__init__

        def __init__(self, *args, **kw):
            if type(self) is target:
                _fill(target, plain, args, kw)
            return old(self, *args, **kw)
        target.__init__ = __init__
        _NAMED[plain] = target
        return target
    made = functools.wraps(target)(_wrapped(target, plain))
    _NAMED[plain] = made
    return made


def external_configurable(target, name=None, module=None, **kw):
    if isinstance(target, type) or not callable(target):
        _NAMED[_names_of(target, name)] = target
        return target
    return _registered(target, name)


register = configurable


def _split(key):
    """The scope and plain name of a configurable, and one of its arguments."""
    scope, _, dotted = key.strip().rpartition("/")
    name, _, argument = dotted.rpartition(".")
    plain = name.split(".")[-1]
    return scope + "/" + plain if scope and plain else plain, argument


def bind_parameter(key, value):
    name, argument = _split(key)
    BOUND.setdefault(name, {})[argument] = value if isinstance(value, str) \
        and value[:1] in "@%" else repr(value)


def query_parameter(key):
    name, argument = _split(key.lstrip("%"))
    if not name:
        return _value(MACROS[argument]) if argument in MACROS else \
            _tilewise.unknown("the macro " + argument + " of a gin file")
    text = BOUND.get(name, {}).get(argument)
    return _value(text) if text is not None else _tilewise.unknown("a parameter of a gin file")


def _import(line):
    """`import a.b`, `import a.b as c`, `from a import b as c`."""
    words = line.split()
    name = words[1] + "." + words[3] if words[0] == "from" else words[1]
    alias = words[-1] if words[0] == "from" or "as" in words else name
    if name == "__gin__.dynamic_registration" or name == "__main__":
        return
    try:
        _MODULES[alias] = importlib.import_module(name)
    except ImportError:
        try:
            _MODULES[alias] = getattr(importlib.import_module(words[1]), words[-1])
        except (ImportError, AttributeError):
            pass  # what the files name of it is not known, then


def _line(text):
    if text.startswith("include "):
        parse_config_file(text[8:].strip().strip("'\""))
        return
    if text.startswith(("import ", "from ")):
        _import(text)
        return
    key, equals, value = text.partition("=")
    if not equals:
        return
    name, argument = _split(key)
    if name:
        BOUND.setdefault(name, {})[argument] = value.strip()
    else:
        MACROS[argument] = value.strip()


def _bare(line):
    """Without its comment."""
    quote = ""
    for i, c in enumerate(line):
        if quote:
            quote = "" if c == quote else quote
        elif c in "'\"":
            quote = c
        elif c == "#":
            return line[:i].rstrip()
    return line.rstrip()


def parse_config(bindings, **kw):
    if _tilewise.is_unknown(bindings) or bindings is None:
        return
    lines = bindings if isinstance(bindings, (list, tuple)) else bindings.split("\n")
    whole = block = ""
    for line in lines:
        bare = _bare(line)
        if not bare:
            continue
        if not whole and bare[0] not in " \t":
            block = ""
        if not whole and bare[-1] == ":" and "=" not in bare:
            block = bare[:-1].strip() + "."  # the lines that are indented set its arguments
            continue
        whole += (" " if whole else block) + bare.strip().rstrip("\\")
        opened = sum([whole.count(c) for c in "([{"]) - sum([whole.count(c) for c in ")]}"])
        if opened <= 0 and not bare.endswith(("\\", "=")):
            _line(whole.strip())
            whole = ""


def add_config_file_search_path(folder):
    if isinstance(folder, str):
        SEARCHED.append(folder.rstrip("/") + "/")


def parse_config_file(config_file, **kw):
    if _tilewise.is_unknown(config_file) or config_file is None:
        return
    text = None
    for above in ["", "../", "../../"] + SEARCHED:
        text = _python.read_file(above + config_file) if text is None else text
    if text is None:
        _tilewise.note("the gin file " + config_file + " is not here; its settings are not known")
        return
    if config_file not in _files:
        _files.add(config_file)
        parse_config(text)
        _files.discard(config_file)


def parse_config_files_and_bindings(config_files=None, bindings=None, *args, **kw):
    if _tilewise.is_unknown(config_files):
        config_files = None
    for one in ([config_files] if isinstance(config_files, str) else config_files or []):
        parse_config_file(one)
    parse_config(bindings)
