"""Alphabets and templates."""

ascii_lowercase = "abcdefghijklmnopqrstuvwxyz"
ascii_uppercase = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
ascii_letters = ascii_lowercase + ascii_uppercase
digits = "0123456789"
hexdigits = digits + "abcdefABCDEF"
octdigits = "01234567"
punctuation = "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~"
whitespace = " \t\n\r\v\f"
printable = digits + ascii_letters + punctuation + whitespace


def capwords(text, sep=None):
    return (sep or " ").join([word.capitalize() for word in text.split(sep)])


class Template:
    def __init__(self, template):
        self.template = template

    def safe_substitute(self, mapping=None, /, **kwargs):
        return self._fill({**(mapping or {}), **kwargs}, True)

    def substitute(self, mapping=None, /, **kwargs):
        return self._fill({**(mapping or {}), **kwargs}, False)

    def _fill(self, table, safe):
        text, out, i = self.template, "", 0
        while i < len(text):
            c = text[i]
            i += 1
            if c != "$":
                out += c
                continue
            if text[i:i + 1] == "$":
                out += "$"
                i += 1
                continue
            braces = text[i:i + 1] == "{"
            j = i + 1 if braces else i
            start = j
            while j < len(text) and (text[j].isalnum() or text[j] == "_"):
                j += 1
            name = text[start:j]
            if braces:
                j += 1
            if safe and name not in table:
                out += "$" + text[i:j]
            else:
                out += str(table[name])
            i = j
        return out


class Formatter:
    def format(self, text, /, *args, **kwargs):
        return text.format(*args, **kwargs)

    def vformat(self, text, args, kwargs):
        return text.format(*args, **kwargs)
