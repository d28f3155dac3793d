"""What one row holds, as Python has it."""

import _tilewise
from tensorflow_datasets import features as _f
from tensorflow_datasets._catalog import _fields
from datasets._table import ROWS

_unk = _tilewise.is_unknown


def find(name, config):
    """Columns and rows of each split of a public data set; None for others."""
    base = name.split("/")[-1].lower()
    lines = ROWS.replace("\n ", "").split("\n")
    whole = name.lower() + ("" if config is None else "/" + config)
    for line in lines:
        title, columns, splits = (line + "||").split("|")[:3]
        if title == whole or title == name.lower():
            return _fields(columns)[0], _counts(splits)
    for line in lines:
        if base not in line:
            continue
        title, columns, splits = line.split("|")
        known, _, configs = title.partition("/")
        own = configs == base  # of a collection whose parts are data sets as well: glue/sst2
        if own or known == base and (not configs or config is None or config in configs.split("+")):
            return _fields(columns)[0], _counts(splits)
    return None


def _counts(splits):
    counts = {}
    for part in splits.split(","):
        split, _, n = part.partition(" ")
        counts[split] = int(n)
    return counts


def value(feature, name):
    """A picture of that size, a number that is not known, or an unknown text."""
    if isinstance(feature, _f.Image):
        from PIL.Image import Image
        height, width, channels = feature.shape
        mode = "L" if channels == 1 else "RGB"
        return Image(channels or 3, height or 375, width or 500, mode)
    if isinstance(feature, _f.FeatureConnector) and feature.dtype.__class__ is not dict:
        shape = feature.shape
        if feature.dtype.kind != "O" and isinstance(shape, tuple) and None not in shape:
            import numpy
            return numpy.ndarray(shape, feature.dtype.as_numpy_dtype)
    return _tilewise.unknown("column '" + name + "' of a data set")


def stacked(name, value, count):
    """A column of several rows. Values that are not known are those that the model takes."""
    import numpy
    from transformers import _batch
    whole = isinstance(value, list) and not any([_unk(x) for x in value])
    kinds = set(map(type, value)) if whole else set()
    if kinds and kinds <= {int, float} and not isinstance(value, _batch.Tokens):
        return numpy.ndarray((count, len(value)), "float64" if float in kinds else "int64")
    if not _unk(value) and hasattr(value, "shape"):
        value = numpy.array(value)
        return numpy.ndarray((count,) + value.shape, value.dtype)
    model = _batch.state.model
    if model is None or not (_batch.is_open(value) or isinstance(value, list) and not whole):
        return [value] * count
    made = _batch.made(model, count)
    like = made.get("labels" if name[:8] == "decoder_" else name)
    return [value] * count if like is None else like.numpy()


def formatted(x, kind):
    """Of set_format: as tensors of a framework."""
    if kind is None or _unk(x) or isinstance(x, (str, bytes)):
        return x
    if isinstance(x, list) and x and (_unk(x[0]) or isinstance(x[0], (str, dict))):
        return x
    import numpy
    array = numpy.array(x)
    if _unk(array) or kind in ("numpy", "np"):
        return array
    if kind in ("torch", "pt"):
        import torch
        return torch.from_numpy(array) if hasattr(torch, "from_numpy") else torch.tensor(array)
    if kind == "jax":
        import jax.numpy as jnp
        return jnp.asarray(array)
    if kind in ("tensorflow", "tf"):
        import tensorflow
        return tensorflow.constant(array)
    return x
