"""JSON texts of plain values."""


class JSONDecodeError(ValueError):
    def __init__(self, msg, doc="", pos=0):
        super().__init__(f"{msg}: char {pos}")
        self.msg, self.doc, self.pos = msg, doc, pos


_ESCAPES = {"\"": "\\\"", "\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t", "\f": "\\f",
            "\b": "\\b"}


def _quote(text, ascii_only):
    out = []
    for c in text:
        if c in _ESCAPES:
            out.append(_ESCAPES[c])
        elif c < " " or (ascii_only and c > "~"):
            n = ord(c)
            if n > 0xFFFF:
                n -= 0x10000
                out.append(f"\\u{0xD800 + (n >> 10):04x}\\u{0xDC00 + (n & 0x3FF):04x}")
            else:
                out.append(f"\\u{n:04x}")
        else:
            out.append(c)
    return "\"" + "".join(out) + "\""


def _number(value):
    if isinstance(value, int):
        return int.__repr__(value)
    if value != value:
        return "NaN"
    if value in (float("inf"), float("-inf")):
        return "Infinity" if value > 0 else "-Infinity"
    return float.__repr__(value)


def _key(key):
    if isinstance(key, str):
        return key
    if key is None or key is True or key is False:
        return {None: "null", True: "true", False: "false"}[key]
    if isinstance(key, (int, float)):
        return _number(key)
    raise TypeError(f"keys must be str, int, float, bool or None, not {type(key).__name__}")


class JSONEncoder:
    def __init__(self, *, skipkeys=False, ensure_ascii=True, check_circular=True,
                 allow_nan=True, sort_keys=False, indent=None, separators=None, default=None):
        self.ensure_ascii = ensure_ascii
        self.sort_keys = sort_keys
        self.indent = " " * indent if isinstance(indent, int) else indent
        self.item, self.colon = separators or ("," if indent is not None else ", ", ": ")
        if default is not None:
            self.default = default

    def default(self, value):
        raise TypeError(f"Object of type {type(value).__name__} is not JSON serializable")

    def encode(self, value):
        import _tilewise
        if _tilewise.is_unknown(value):
            return value
        return self._text(value, "\n")

    def iterencode(self, value):
        return iter([self.encode(value)])

    def _text(self, value, line):
        import _tilewise
        if value is None or _tilewise.is_unknown(value):
            return "null"
        if value is True:
            return "true"
        if value is False:
            return "false"
        if isinstance(value, str):
            return _quote(value, self.ensure_ascii)
        if isinstance(value, (int, float)):
            return _number(value)
        inner = line + self.indent if self.indent is not None else ""
        if isinstance(value, dict) or type(value).__name__ == "mappingproxy":
            pairs = sorted(value.items()) if self.sort_keys else value.items()
            parts = [_quote(_key(k), self.ensure_ascii) + self.colon + self._text(v, inner)
                     for k, v in pairs]
            return self._wrap("{", parts, "}", line, inner)
        if isinstance(value, (list, tuple)):
            return self._wrap("[", [self._text(v, inner) for v in value], "]", line, inner)
        return self._text(self.default(value), line)

    def _wrap(self, left, parts, right, line, inner):
        if not parts:
            return left + right
        if self.indent is None:
            return left + self.item.join(parts) + right
        return left + inner + (self.item + inner).join(parts) + line + right


def dumps(obj, *, cls=None, **kwargs):
    return (cls or JSONEncoder)(**kwargs).encode(obj)


def dump(obj, fp, **kwargs):
    fp.write(dumps(obj, **kwargs))


_CONSTANTS = {"true": True, "false": False, "null": None, "NaN": float("nan"),
              "Infinity": float("inf"), "-Infinity": float("-inf")}
_UNESCAPE = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f"}


class _Reader:
    def __init__(self, text, pairs_hook, hook):
        self.text = text
        self.at = 0
        self.pairs_hook = pairs_hook
        self.hook = hook

    def fail(self, message):
        raise JSONDecodeError(message, self.text, self.at)

    def peek(self):
        text, at = self.text, self.at
        while text[at:at + 1] in (" ", "\n", "\t", "\r"):
            at += 1
        self.at = at
        return text[at:at + 1]

    def string(self):
        text = self.text
        start = self.at = self.at + 1
        end = text.find("\"", start)
        if end < 0:
            self.fail("Unterminated string")
        if "\\" not in text[start:end]:
            self.at = end + 1
            return text[start:end]
        out, at = [], start
        while True:
            c = text[at:at + 1]
            if c == "\"":
                self.at = at + 1
                return "".join(out)
            if c == "":
                self.fail("Unterminated string")
            if c == "\\":
                c = text[at + 1]
                at += 1
                if c == "u":
                    n = int(text[at + 1:at + 5], 16)
                    at += 4
                    if 0xD800 <= n < 0xDC00 and text[at + 1:at + 3] == "\\u":
                        n = 0x10000 + ((n - 0xD800) << 10) + int(text[at + 3:at + 7], 16) - 0xDC00
                        at += 6
                    c = chr(n)
                else:
                    c = _UNESCAPE.get(c, c)
            out.append(c)
            at += 1

    def value(self):
        c = self.peek()
        if c == "\"":
            return self.string()
        if c == "{":
            return self.object()
        if c == "[":
            self.at += 1
            out = []
            if self.peek() == "]":
                self.at += 1
                return out
            while True:
                out.append(self.value())
                c = self.peek()
                self.at += 1
                if c == "]":
                    return out
                if c != ",":
                    self.fail("Expecting ',' delimiter")
        start = at = self.at
        text = self.text
        while at < len(text) and text[at] not in ",]} \n\t\r:":
            at += 1
        word = text[start:at]
        if word in _CONSTANTS:
            self.at = at
            return _CONSTANTS[word]
        if word == "" or word[0] not in "-0123456789":
            self.fail("Expecting value")
        self.at = at
        try:
            return int(word) if word.lstrip("-").isdigit() else float(word)
        except ValueError:
            self.at = start
            self.fail("Expecting value")

    def object(self):
        self.at += 1
        pairs = []
        if self.peek() == "}":
            self.at += 1
        else:
            while True:
                if self.peek() != "\"":
                    self.fail("Expecting property name enclosed in double quotes")
                key = self.string()
                if self.peek() != ":":
                    self.fail("Expecting ':' delimiter")
                self.at += 1
                pairs.append((key, self.value()))
                c = self.peek()
                self.at += 1
                if c == "}":
                    break
                if c != ",":
                    self.fail("Expecting ',' delimiter")
        if self.pairs_hook is not None:
            return self.pairs_hook(pairs)
        made = dict(pairs)
        return made if self.hook is None else self.hook(made)


def loads(s, *, cls=None, object_hook=None, object_pairs_hook=None, **kwargs):
    import _tilewise
    if _tilewise.is_unknown(s):
        return _tilewise.unknown("the values of an unknown JSON text")
    if isinstance(s, (bytes, bytearray)):
        s = s.decode()
    if not isinstance(s, str):
        return _tilewise.unknown("the values of an unknown JSON text")
    if (len(s) > 400 or len(s.encode()) != len(s)) and object_pairs_hook is None and \
            object_hook is None and "NaN" not in s:
        # Most JSON is YAML, which is read faster.
        import _python
        try:
            return _python.yaml(s)
        except ValueError:
            pass
    reader = _Reader(s, object_pairs_hook, object_hook)
    value = reader.value()
    if reader.peek() != "":
        reader.fail("Extra data")
    return value


def load(fp, **kwargs):
    return loads(fp.read(), **kwargs)


class JSONDecoder:
    def __init__(self, **kwargs):
        self._kwargs = kwargs

    def decode(self, s):
        return loads(s, **self._kwargs)
