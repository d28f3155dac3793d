"""YAML texts of plain values."""

import _python
import _tilewise


class YAMLError(Exception):
    pass


class Loader:
    @classmethod
    def add_implicit_resolver(cls, *args, **kwargs):
        pass

    add_constructor = add_multi_constructor = add_implicit_resolver


SafeLoader = FullLoader = UnsafeLoader = CLoader = CSafeLoader = BaseLoader = Loader


class Dumper(Loader):
    add_representer = Loader.add_implicit_resolver


SafeDumper = CDumper = CSafeDumper = Dumper


def load(stream, Loader=None):
    text = stream.read() if hasattr(stream, "read") else stream
    if not _tilewise.is_unknown(text) and isinstance(text, bytes):
        text = text.decode()
    if _tilewise.is_unknown(text) or not isinstance(text, str):
        return _tilewise.unknown("the values of an unknown YAML text")
    return _python.yaml(text)


safe_load = full_load = unsafe_load = load


def load_all(stream, Loader=None):
    text = stream.read() if hasattr(stream, "read") else stream
    if _tilewise.is_unknown(text):
        return text
    return [_python.yaml(part) for part in ("\n" + text).split("\n---") if part.strip()]


safe_load_all = load_all


def add_constructor(*args, **kwargs):
    pass


add_representer = add_implicit_resolver = add_constructor


def _scalar(value):
    if _tilewise.is_unknown(value):
        return "unknown"
    if value is None:
        return "null"
    if value is True:
        return "true"
    if value is False:
        return "false"
    if isinstance(value, str):
        plain = value and value[0] not in "-?:,[]{}#&*!|>'\"%@` " and ": " not in value
        words = ("true", "false", "null", "yes", "no", "on", "off", "~")
        if not plain or value.lower() in words or value[0].isdigit() or value[-1] in " :":
            return "'" + value.replace("'", "''") + "'"
        return value
    if isinstance(value, float):
        text = repr(value)
        if text in ("inf", "-inf", "nan"):
            return "-.inf" if text[0] == "-" else "." + text
        return text.replace("e", ".0e") if "e" in text and "." not in text else text
    return str(value)


def _lines(value, pad):
    if _tilewise.is_unknown(value):
        yield pad + "unknown"
    elif isinstance(value, dict) and value:
        for key, item in value.items():
            if isinstance(item, (dict, list, tuple)) and item:
                yield f"{pad}{_scalar(key)}:"
                yield from _lines(item, pad + "  " if isinstance(item, dict) else pad)
            else:
                yield f"{pad}{_scalar(key)}: {_flat(item)}"
    elif isinstance(value, (list, tuple)) and value:
        for item in value:
            inner = list(_lines(item, pad + "  "))
            yield f"{pad}- {inner[0].lstrip()}"
            yield from inner[1:]
    else:
        yield pad + _flat(value)


def _flat(value):
    if isinstance(value, dict):
        return "{}"
    if isinstance(value, (list, tuple)):
        return "[]"
    return _scalar(value)


def dump(data, stream=None, Dumper=None, sort_keys=True, **kwargs):
    def ordered(value):
        if _tilewise.is_unknown(value):
            return "unknown"
        if isinstance(value, dict):
            pairs = sorted(value.items(), key=lambda kv: str(kv[0])) if sort_keys \
                else value.items()
            return {k: ordered(v) for k, v in pairs}
        return [ordered(v) for v in value] if isinstance(value, (list, tuple)) else value

    text = "\n".join(_lines(ordered(data), "")) + "\n"
    if stream is None:
        return text
    stream.write(text)


safe_dump = dump
