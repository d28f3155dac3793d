"""Regular expressions, matched by the interpreter's own engine."""

import _python

IGNORECASE = I = 2
LOCALE = L = 4
MULTILINE = M = 8
DOTALL = S = 16
UNICODE = U = 32
VERBOSE = X = 64
DEBUG = 128
ASCII = A = 256
NOFLAG = 0


class RegexFlag(int):
    pass


class error(Exception):
    pass


class Match:
    def __init__(self, pattern, text, spans, pos, endpos):
        self.re = pattern
        self.string = text
        self._spans = spans
        self.pos = pos
        self.endpos = endpos

    def _index(self, group):
        if isinstance(group, str):
            if group not in self.re.groupindex:
                raise IndexError("no such group")
            return self.re.groupindex[group]
        if not 0 <= group < len(self._spans):
            raise IndexError("no such group")
        return group

    def _one(self, group):
        start, end = self._spans[self._index(group)]
        return None if start < 0 else self.string[start:end]

    def group(self, *groups):
        if not groups:
            return self._one(0)
        if len(groups) == 1:
            return self._one(groups[0])
        return tuple([self._one(g) for g in groups])

    def __getitem__(self, group):
        return self._one(group)

    def groups(self, default=None):
        found = [self._one(i) for i in range(1, len(self._spans))]
        return tuple([default if v is None else v for v in found])

    def groupdict(self, default=None):
        out = {}
        for name, i in self.re.groupindex.items():
            value = self._one(i)
            out[name] = default if value is None else value
        return out

    def start(self, group=0):
        return self._spans[self._index(group)][0]

    def end(self, group=0):
        return self._spans[self._index(group)][1]

    def span(self, group=0):
        start, end = self._spans[self._index(group)]
        return start, end

    @property
    def lastindex(self):
        best = None
        for i in range(1, len(self._spans)):
            if self._spans[i][0] >= 0 and (best is None or
                                           self._spans[i][1] > self._spans[best][1]):
                best = i
        return best

    @property
    def lastgroup(self):
        for name, i in self.re.groupindex.items():
            if i == self.lastindex:
                return name
        return None

    def expand(self, template):
        return _expand(_template(template), self)

    def __bool__(self):
        return True

    def __repr__(self):
        return f"<re.Match object; span={self.span()}, match={self.group()!r}>"


_SIMPLE = {"n": "\n", "t": "\t", "r": "\r", "\\": "\\", "f": "\f", "v": "\v", "a": "\a"}


def _template(template):
    """Texts and group references of a replacement."""
    if "\\" not in template:
        return [template]
    parts, text, i = [], "", 0
    while i < len(template):
        c = template[i]
        i += 1
        if c != "\\" or i == len(template):
            text += c
            continue
        c = template[i]
        i += 1
        if c == "g" and template[i:i + 1] == "<":
            j = template.index(">", i)
            name = template[i + 1:j]
            i = j + 1
            parts += [text, (int(name) if name.isdigit() else name,)]
            text = ""
        elif c in "123456789":
            if template[i:i + 1].isdigit():
                c += template[i]
                i += 1
            parts += [text, (int(c),)]
            text = ""
        elif c == "0":
            text += "\0"
        else:
            text += _SIMPLE.get(c, "\\" + c)
    parts.append(text)
    return parts


def _expand(parts, match):
    out = ""
    for part in parts:
        out += part if isinstance(part, str) else match.group(part[0]) or ""
    return out


class Pattern:
    def __init__(self, pattern, flags=0):
        self.pattern = pattern
        self.flags = flags
        self.groups, self.groupindex = _python.regex_groups(pattern)

    def _find(self, text, pos, endpos, mode):
        if not isinstance(text, str):
            if isinstance(text, bytes):
                text = text.decode("latin-1")
            elif not isinstance(text, str):
                import _tilewise
                if _tilewise.is_unknown(text):
                    return _tilewise.unknown("a match in an unknown text")
                raise TypeError("expected string or bytes-like object")
        if endpos is not None and endpos < len(text):
            text = text[:endpos]
        spans = _python.regex(self.pattern, self.flags, text, pos, mode)
        if spans is None:
            import _tilewise_files
            if _tilewise_files.is_made(text):
                import _tilewise
                return _tilewise.unknown("a match in the name of a file that was assumed")
            return None
        return Match(self, text, spans, pos, len(text))

    def match(self, string, pos=0, endpos=None):
        return self._find(string, pos, endpos, "match")

    def search(self, string, pos=0, endpos=None):
        return self._find(string, pos, endpos, "search")

    def fullmatch(self, string, pos=0, endpos=None):
        return self._find(string, pos, endpos, "fullmatch")

    def finditer(self, string, pos=0, endpos=None):
        stop = len(string) if endpos is None else min(endpos, len(string))
        while pos <= stop:
            match = self._find(string, pos, endpos, "search")
            if match is None:
                return
            yield match
            start, end = match.span()
            pos = end + 1 if start == end else end

    def findall(self, string, pos=0, endpos=None):
        out = []
        for match in self.finditer(string, pos, endpos):
            if self.groups == 0:
                out.append(match.group())
            elif self.groups == 1:
                out.append(match._one(1) or "")
            else:
                out.append(match.groups(""))
        return out

    def split(self, string, maxsplit=0):
        out, at = [], 0
        for match in self.finditer(string):
            if maxsplit and len(out) >= maxsplit * (1 + self.groups):
                break
            start, end = match.span()
            out.append(string[at:start])
            out.extend(match.groups())
            at = end
        out.append(string[at:])
        return out

    def subn(self, repl, string, count=0):
        if isinstance(repl, str):
            if repl not in _templates:
                _templates[repl] = _template(repl)
            parts = _templates[repl]
            if len(parts) == 1 and not count and isinstance(string, str):
                return _python.regex_replace(self.pattern, self.flags, string, parts[0])
        else:
            parts = None if callable(repl) else _template(repl)
        out, at, n = [], 0, 0
        for match in self.finditer(string):
            if count and n >= count:
                break
            start, end = match.span()
            out.append(string[at:start])
            out.append(repl(match) if parts is None else _expand(parts, match))
            at = end
            n += 1
        out.append(string[at:])
        return "".join(out), n

    def sub(self, repl, string, count=0):
        return self.subn(repl, string, count)[0]

    def __eq__(self, other):
        return (isinstance(other, Pattern) and self.pattern == other.pattern
                and self.flags == other.flags)

    def __hash__(self):
        return hash((self.pattern, self.flags))

    def __repr__(self):
        return f"re.compile({self.pattern!r})"


_known = {}
_templates = {}


def compile(pattern, flags=0):
    if isinstance(pattern, Pattern):
        return pattern
    key = (pattern, flags)
    if key not in _known:
        text = pattern.decode("latin-1") if isinstance(pattern, bytes) else pattern
        _known[key] = Pattern(text, flags)
    return _known[key]


def match(pattern, string, flags=0):
    return compile(pattern, flags).match(string)


def search(pattern, string, flags=0):
    return compile(pattern, flags).search(string)


def fullmatch(pattern, string, flags=0):
    return compile(pattern, flags).fullmatch(string)


def findall(pattern, string, flags=0):
    return compile(pattern, flags).findall(string)


def finditer(pattern, string, flags=0):
    return compile(pattern, flags).finditer(string)


def split(pattern, string, maxsplit=0, flags=0):
    return compile(pattern, flags).split(string, maxsplit)


def sub(pattern, repl, string, count=0, flags=0):
    return compile(pattern, flags).sub(repl, string, count)


def subn(pattern, repl, string, count=0, flags=0):
    return compile(pattern, flags).subn(repl, string, count)


def escape(pattern):
    special = "()[]{}?*+-|^$\\.&~# \t\n\r\v\f"
    return "".join(["\\" + c if c in special else c for c in pattern])


def purge():
    _known.clear()
