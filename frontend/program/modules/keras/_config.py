"""Configurations of layers and models, and copies made of them."""

import _python
import _tilewise as _t
from keras import _layer


def _flags(value):
    """Functions and objects of Keras by name, as configurations have them."""
    if isinstance(value, (list, tuple)):
        return type(value)([_flags(v) for v in value])
    return value


def config_of(layer):
    """Arguments of the constructor by name."""
    args, kwargs = layer._made
    rows = _python.signature(type(layer).__init__)[1:]
    config, names = {}, []
    open_names = False
    for name, kind, has_default, default in rows:
        if kind == "var_keyword":
            open_names = True
        elif kind != "var_positional":
            names.append(name)
            if has_default:
                config[name] = default
    for name, value in zip(names, args):
        config[name] = value
    config.update(kwargs)
    for name, value in (("name", layer.name), ("trainable", layer._trainable)):
        if open_names or name in names:
            config[name] = value
    if open_names and "dtype" not in config:
        config["dtype"] = layer.dtype_policy.name
    return config


def clone_layer(layer):
    """A layer made again, with weights of its own."""
    cls = type(layer)
    if hasattr(layer, "_clone"):
        made = layer._clone()
    elif _overrides(cls, "get_config"):
        made = cls.from_config(layer.get_config())
    else:
        args, kwargs = layer._made
        kwargs = dict(kwargs)
        for name, value in kwargs.items():
            if isinstance(value, _layer.Layer):
                kwargs[name] = clone_layer(value)
        args = [clone_layer(a) if isinstance(a, _layer.Layer) else a for a in args]
        made = cls(*args, **kwargs)
    if _t.is_unknown(made):
        return made
    made.name = layer.name
    made._trainable = layer._trainable
    made._place = layer._place
    return made


def _overrides(cls, name):
    return getattr(cls, name) is not getattr(_layer.Layer, name) and \
        not (cls.__module__ or "").startswith("keras.")
