"""TOML texts: tables, keys and plain values."""


class TomlDecodeError(ValueError):
    pass


TOMLDecodeError = TomlDecodeError


def _bare(line):
    """The line without its comment."""
    if "#" not in line:
        return line
    quote = ""
    for i, c in enumerate(line):
        if quote:
            if c == quote:
                quote = ""
        elif c in "\"'":
            quote = c
        elif c == "#":
            return line[:i]
    return line


def _keys(text):
    return [part.strip().strip("\"'") for part in text.strip().split(".")]


def _split(text):
    parts, depth, quote, part = [], 0, "", ""
    for c in text:
        if quote:
            quote = "" if c == quote else quote
        elif c in "\"'":
            quote = c
        elif c in "[{":
            depth += 1
        elif c in "]}":
            depth -= 1
        elif c == "," and depth == 0:
            parts.append(part)
            part = ""
            continue
        part += c
    return [p for p in parts + [part] if p.strip()]


def _value(text):
    text = text.strip()
    if text in ("true", "false"):
        return text == "true"
    if text[:1] == "[":
        return [_value(part) for part in _split(text[1:-1])]
    if text[:1] == "{":
        made = {}
        for part in _split(text[1:-1]):
            name, _, value = part.partition("=")
            _put(made, _keys(name), _value(value))
        return made
    if text[:3] in ("\"\"\"", "'''"):
        return text[3:-3].lstrip("\n")
    if text[:1] == "'":
        return text[1:-1]
    if text[:1] == "\"":
        import json
        return json.loads(text)
    number = text.replace("_", "")
    try:
        return int(number, 0)
    except ValueError:
        pass
    try:
        return float(number)
    except ValueError:
        return text


def _put(table, keys, value):
    for key in keys[:-1]:
        table = table.setdefault(key, {})
        if isinstance(table, list):
            table = table[-1]
    table[keys[-1]] = value


def _enter(root, keys, many):
    table = root
    for i, key in enumerate(keys):
        last = i == len(keys) - 1
        if last and many:
            table = table.setdefault(key, [])
            table.append({})
        else:
            table = table.setdefault(key, {})
        if isinstance(table, list):
            table = table[-1]
    return table


def loads(text):
    if isinstance(text, bytes):
        text = text.decode()
    root = {}
    table = root
    held = ""
    for line in text.splitlines():
        line = held + ("\n" if held[-3:] else "") + (line if "\"\"\"" in held else _bare(line))
        line = line.strip()
        held = ""
        if not line:
            continue
        if line.startswith("[["):
            table = _enter(root, _keys(line[2:-2]), True)
            continue
        if line.startswith("[") and "=" not in line:
            table = _enter(root, _keys(line[1:-1]), False)
            continue
        name, _, value = line.partition("=")
        value = value.strip()
        if value.count("[") > value.count("]") or value.count("\"\"\"") == 1:
            held = line
            continue
        _put(table, _keys(name), _value(value))
    return root


def load(source, **kwargs):
    if hasattr(source, "read"):
        text = source.read()
    else:
        import _python
        text = _python.read_file(str(source))
    if not isinstance(text, (str, bytes)):
        import _tilewise
        return _tilewise.unknown("the values of an unknown TOML text")
    return loads(text)


def dumps(data, *args, **kwargs):
    import json
    lines, tables = [], []
    for key, value in data.items():
        if isinstance(value, dict):
            tables += [f"\n[{key}]", dumps(value)]
        else:
            lines.append(f"{key} = {json.dumps(value)}")
    return "\n".join(lines + tables)


def dump(data, file, *args, **kwargs):
    file.write(dumps(data))
