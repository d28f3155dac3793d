"""File name patterns."""


def translate(pattern):
    import re
    out, i = "", 0
    while i < len(pattern):
        c = pattern[i]
        i += 1
        if c == "*":
            out += ".*"
        elif c == "?":
            out += "."
        elif c == "[" and "]" in pattern[i + 1:]:
            j = pattern.index("]", i + 1)
            inside = pattern[i:j]
            out += "[" + ("^" + inside[1:] if inside[0] == "!" else inside) + "]"
            i = j + 1
        else:
            out += re.escape(c)
    return "(?s:" + out + r")\Z"


def fnmatchcase(name, pattern):
    import re
    return re.match(translate(pattern), name) is not None


fnmatch = fnmatchcase


def filter(names, pattern):
    return [name for name in names if fnmatchcase(name, pattern)]
