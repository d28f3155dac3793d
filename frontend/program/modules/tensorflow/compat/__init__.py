"""tf.compat."""


def as_bytes(text, encoding="utf-8"):
    return text.encode(encoding) if isinstance(text, str) else text


def as_text(text, encoding="utf-8"):
    return text.decode(encoding) if isinstance(text, bytes) else text


as_str = as_text


def as_str_any(value, encoding="utf-8"):
    return as_text(value) if isinstance(value, bytes) else str(value)


def path_to_str(path):
    return str(path)


def dimension_value(dimension):
    return getattr(dimension, "value", dimension)


def dimension_at_index(shape, index):
    from tensorflow._shape import Dimension
    return Dimension(shape[index])


def forward_compatible(*args):
    return True


integral_types, real_types, complex_types = (int,), (int, float), (int, float, complex)
bytes_or_text_types = (str, bytes)


def __getattr__(name):
    import importlib
    if name in ("v1", "v2"):
        return importlib.import_module("tensorflow.compat." + name)
    raise AttributeError(name)
