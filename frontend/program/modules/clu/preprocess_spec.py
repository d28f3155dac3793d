"""clu.preprocess_spec: the steps that prepare an example, named in a text:
"decode|resize_small(256)|central_crop(224)"."""

import dataclasses
import inspect
import sys

import tensorflow as tf

Features = dict
D = Features
SEED_KEY = "_seed"


class PreprocessOp:
    pass


class MapTransform:
    def __call__(self, features):
        return self.map(features)


class RandomMapTransform(MapTransform):
    def __call__(self, features):
        seed = features.pop(SEED_KEY) if SEED_KEY in features else tf.zeros([2], tf.int32)
        return self.random_map(features, seed)


class FilterTransform:
    def __call__(self, features):
        return features


def _snake(name):
    text = ""
    for i, letter in enumerate(name):
        if letter.isupper() and i and not name[i - 1].isupper():
            text += "_"
        text += letter.lower()
    return text


def get_all_ops(module_name):
    """The names and classes of the steps that a module has."""
    module = sys.modules[module_name]
    return [(_snake(name), each) for name, each in vars(module).items()
            if inspect.isclass(each) and dataclasses.is_dataclass(each)]


@dataclasses.dataclass
class PreprocessFn:
    ops: object
    only_jax_types: bool = True

    def __call__(self, features):
        features = dict(features)
        for op in self.ops:
            features = op(features)
        if self.only_jax_types:
            features = {k: v for k, v in features.items() if _for_jax(v)}
        return features

    def __add__(self, other):
        return PreprocessFn(list(self.ops) + list(other.ops), self.only_jax_types)

    def __iter__(self):
        return iter(self.ops)


def _for_jax(x):
    return getattr(getattr(x, "dtype", None), "name", "") not in ("string", "object")


_known = {}


def parse(spec, available_ops, *, only_jax_types=True):
    known = dict(available_ops)
    ops = []
    for text in _split(spec):
        name, bracket, rest = text.partition("(")
        if name not in known:
            raise ValueError("'" + name + "' is not available (available ops: " +
                             str(sorted(known)) + ").")
        arguments = rest[:-1] if bracket else ""
        _known[name] = known[name]
        ops.append(eval("_known['" + name + "'](" + arguments + ")"))
    return PreprocessFn(ops, only_jax_types)


def _split(spec):
    """The steps of a text; a | within brackets or quotes is part of a step."""
    parts, depth, quote, part = [], 0, "", ""
    for letter in spec or "":
        if quote:
            quote = "" if letter == quote else quote
        elif letter in "'\"":
            quote = letter
        elif letter in "([{":
            depth += 1
        elif letter in ")]}":
            depth -= 1
        elif letter == "|" and depth == 0:
            parts.append(part.strip())
            part = ""
            continue
        part += letter
    return [p for p in parts + [part.strip()] if p]
