"""Indentation and wrapping of texts."""


def dedent(text):
    lines = text.split("\n")
    margin = None
    for line in lines:
        if line.strip():
            lead = line[:len(line) - len(line.lstrip())]
            if margin is None:
                margin = lead
            else:
                n = 0
                while n < min(len(margin), len(lead)) and margin[n] == lead[n]:
                    n += 1
                margin = margin[:n]
    n = len(margin or "")
    return "\n".join([line[n:] if line.strip() else "" for line in lines])


def indent(text, prefix, predicate=None):
    out = ""
    for line in text.splitlines(True):
        keep = predicate(line) if predicate is not None else line.strip()
        out += prefix + line if keep else line
    return out


def wrap(text, width=70, initial_indent="", subsequent_indent="", **kwargs):
    lines, line = [], initial_indent
    empty = True
    for word in text.split():
        if not empty and len(line) + 1 + len(word) > width:
            lines.append(line)
            line, empty = subsequent_indent, True
        line += word if empty else " " + word
        empty = False
    if not empty:
        lines.append(line)
    return lines


def fill(text, width=70, **kwargs):
    return "\n".join(wrap(text, width, **kwargs))


def shorten(text, width, placeholder=" [...]", **kwargs):
    words = text.split()
    if len(" ".join(words)) <= width:
        return " ".join(words)
    while words and len(" ".join(words)) + len(placeholder) > width:
        words.pop()
    return (" ".join(words) + placeholder).strip()
