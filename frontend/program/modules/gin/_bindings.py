"""What gin binds: `name.argument = value`, by the last part of each configurable's name."""

import functools

import _python
import _tilewise

BOUND = {}  # by the plain name of a configurable: argument -> text of its value
MACROS = {}
_NAMED = {}
_files = set()


class _Required:
    pass


REQUIRED = _Required()


def known(name):
    """The configurable of that name."""
    for n in (name, name.split(".")[-1]):
        if n in _NAMED:
            return _NAMED[n]
    return _tilewise.unknown("what @" + name + " of a gin file names")


def _value(text):
    text = text.strip()
    if text[:1] == "@":
        called = text.endswith("()")
        found = known(text[1:-2 if called else None].split("/")[-1])
        return found() if called and callable(found) else found
    if text[:1] == "%":
        kept = MACROS.get(text[1:], MACROS.get(text[1:].split(".")[-1]))
        if kept is None:
            return _tilewise.unknown("the macro " + text + " of a gin file")
        return _value(kept) if isinstance(kept, str) else kept
    if text[:1] in "([" and ("@" in text or "%" in text):
        parts = [_value(p) for p in _parts(text[1:-1])]
        return tuple(parts) if text[0] == "(" else parts
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


def _wrapped(function, name):
    plain = _names_of(function, name)

    def called(*args, **kw):
        bound = BOUND.get(plain)
        if bound:
            names = [p[0] for p in _python.signature(function) if p[0] != "self"]
            taken = set(names[:len(args)])
            for argument, text in bound.items():
                if argument not in kw and argument not in taken:
                    kw[argument] = _value(text)
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
            bound = BOUND.get(plain) if type(self) is target else None
            if not bound:
                return old(self, *args, **kw)
            names = [p[0] for p in _python.signature(target)]
            taken = set(names[:len(args)])
            for argument, text in bound.items():
                if argument not in kw and argument not in taken:
                    kw[argument] = _value(text)
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


def bind_parameter(key, value):
    name, _, argument = key.split("/")[-1].rpartition(".")
    BOUND.setdefault(name.split(".")[-1], {})[argument] = value if isinstance(value, str) \
        and value[:1] in "@%" else repr(value)


def query_parameter(key):
    name, _, argument = key.lstrip("%").split("/")[-1].rpartition(".")
    if not name:
        return _value(MACROS[argument]) if argument in MACROS else \
            _tilewise.unknown("the macro " + argument + " of a gin file")
    text = BOUND.get(name.split(".")[-1], {}).get(argument)
    return _value(text) if text is not None else _tilewise.unknown("a parameter of a gin file")


def _line(text):
    if text.startswith("include "):
        parse_config_file(text[8:].strip().strip("'\""))
        return
    if text.startswith(("import ", "from ")) or "=" not in text:
        return
    key, _, value = text.partition("=")
    name, _, argument = key.strip().split("/")[-1].rpartition(".")
    if name:
        BOUND.setdefault(name.split(".")[-1], {})[argument] = value.strip()
    else:
        MACROS[argument] = value.strip()


def parse_config(bindings, **kw):
    if _tilewise.is_unknown(bindings) or bindings is None:
        return
    lines = bindings if isinstance(bindings, (list, tuple)) else bindings.split("\n")
    whole = ""
    for line in lines:
        bare = line.split("#")[0].rstrip()
        if not bare:
            continue
        whole += (" " if whole else "") + bare.strip().rstrip("\\")
        opened = sum([whole.count(c) for c in "([{"]) - sum([whole.count(c) for c in ")]}"])
        if opened <= 0 and not bare.endswith(("\\", "=")):
            _line(whole.strip())
            whole = ""


def parse_config_file(config_file, **kw):
    if _tilewise.is_unknown(config_file) or config_file is None:
        return
    text = None
    for above in ("", "../", "../../"):
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
