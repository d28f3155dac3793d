"""Looks up rows of the table, and splits of them."""

import _tilewise
from tensorflow_datasets import features as _f
from tensorflow_datasets._table import ROWS

_CODES = {"s": "string", "u8": "uint8", "s8": "int8", "u16": "uint16", "s16": "int16",
          "s32": "int32", "u32": "uint32", "s64": "int64", "u64": "uint64", "f16": "float16",
          "bf16": "bfloat16", "f32": "float32", "f64": "float64", "b": "bool"}


class Row:
    """`splits` maps names to numbers of examples; None is a number that is not known."""

    def __init__(self, name, config, supervised, features, splits):
        self.name, self.config, self.supervised = name, config, supervised
        self.features, self.splits = features, splits


def _line(at):
    """The row that begins there, put together of its lines."""
    parts = []
    while True:
        end = ROWS.find("\n", at)
        parts.append(ROWS[at:end])
        if ROWS[end + 1:end + 2] != " ":
            return "".join(parts)
        at = end + 2


def find(name, config=None):
    """The row of a data set; without a configuration the first, which is the default."""
    at = ROWS.find("\n" + name + "|")
    if at >= 0:
        return _row(name, None, _line(at + 1), at)
    at = ROWS.find("\n" + name + "/")
    while at >= 0:
        line = _line(at + 1)
        configs = line[len(name) + 1:line.find("|")].split("+")
        if config is None or config in configs:
            return _row(name, config or configs[0], line, at)
        at = ROWS.find("\n" + name + "/", at + 1)
    return None


def _row(name, config, line, at):
    _, supervised, features, splits = line.split("|")
    before = at
    while features == "=":
        before = ROWS[:before].rfind("\n" + name + "/")
        features = _line(before + 1).split("|")[2]
    counts = {}
    for part in splits.split(",") if splits else []:
        split, _, n = part.partition(" ")
        counts[split] = int(n) if n.isdigit() else None
    return Row(name, config, _keys(supervised), _f.FeaturesDict(_fields(features)[0]), counts)


def _keys(text):
    """ "image,label", where "(a+b)" stands for several in one. """
    if not text or text == "?":
        return None
    return tuple([tuple(k[1:-1].split("+")) if k[0] == "(" else k for k in text.split(",")])


def _fields(text):
    """Of "name:type name:{...}": the dictionary, and what follows its end."""
    result = {}
    while text and text[0] != "}":
        name, _, text = text.partition(":")
        result[name.strip()], text = _type(text)
    return result, text[1:]


def _type(text):
    if text[0] == "*":
        end = 1
        while text[end].isdigit():
            end += 1
        inner, rest = _type(text[end:])
        return _f.Sequence(inner, int(text[1:end]) if end > 1 else None), rest
    if text[0] == "{":
        fields, rest = _fields(text[1:])
        return _f.FeaturesDict(fields), rest
    ends = [at for at in (text.find(" "), text.find("}")) if at >= 0]
    end = min(ends) if ends else len(text)
    rest = text[end + 1:] if text[end:end + 1] == " " else text[end:]
    return _simple(text[:end]), rest


def _simple(word):
    name, _, sizes = word.partition("[")
    shape = tuple([None if d == "?" else int(d) for d in sizes[:-1].split(",")]) if sizes else ()
    if name[0] == "C":
        return _f.ClassLabel(num_classes=int(name[1:]) if len(name) > 1 else None)
    if name[0] == "T":
        return _f.Text(vocab_size=int(name[1:]))
    if name[0] == "I":
        return _f.Image(shape=shape, dtype=_CODES[name[1:] or "u8"])
    if name[0] == "V":
        return _f.Video(shape=shape)
    if name == "s" and not shape:
        return _f.Text()
    return _f.Tensor(shape=shape, dtype=_CODES[name])


# ---- splits


def bounds(text, total):
    """Of "train[10%:20%]" behind its name: first and last example; None where not known."""
    low, colon, high = text.partition(":")
    if not colon or total is None:
        return None
    first = _bound(low, total, 0)
    last = _bound(high, total, total)
    if first is None or last is None:
        return None
    return min(max(first, 0), total), min(max(last, 0), total)


def _bound(text, total, otherwise):
    text = text.strip().replace("_", "")
    if not text:
        return otherwise
    percent = text[-1] == "%"
    if percent:
        text = text[:-1]
    if not text.lstrip("-+").replace(".", "", 1).isdigit():
        return None
    n = float(text) if "." in text else int(text)
    if percent:
        n = round(n * total / 100)
    return total + n if n < 0 else int(n)


def examples(splits, wanted):
    """How many examples a split has: "train+test[:10%]"; None where that is not known."""
    count = 0
    for part in str(wanted).split("+"):
        name, bracket, rest = part.strip().partition("[")
        if name == "all" and splits:
            total = None if None in splits.values() else sum(splits.values())
        else:
            total = splits.get(name)
        if bracket and total is not None:
            found = bounds(rest.rstrip("]"), total)
            total = None if found is None else max(0, found[1] - found[0])
        if total is None:
            return None
        count += total
    return count


def unknown(name):
    return _tilewise.unknown("what the data set '" + str(name) + "' of TensorFlow Datasets holds")
