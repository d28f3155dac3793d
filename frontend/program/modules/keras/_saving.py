"""Models on disk, which tilewise does not read."""

import _tilewise as _t


_written = {}   # path -> the model that the program itself wrote there


def written(model, filepath):
    if not _t.is_unknown(filepath) and filepath is not None:
        _written[_plain(filepath)] = model


def _plain(filepath):
    return str(filepath).rstrip("/").split("/")[-1]


def load_model(filepath, *args, **kwargs):
    if not _t.is_unknown(filepath) and _plain(filepath) in _written:
        return _written[_plain(filepath)]
    return _t.unknown("a model that is read from a file (" + str(filepath) + ")")


def model_from_json(*args, **kwargs):
    return _t.unknown("a model that is made of a configuration in JSON")


model_from_yaml = model_from_json


def model_from_config(config, custom_objects=None):
    if "_model" in config:
        from keras._clone import clone_model
        return clone_model(config["_model"])
    return _t.unknown("a model that is made of a configuration")


def save_model(model, filepath=None, *args, **kwargs):
    _t.record("checkpoint")
    written(model, filepath)


def save_weights(model, filepath=None, *args, **kwargs):
    _t.record("checkpoint")


def load_weights(model, filepath=None, *args, **kwargs):
    pass


def serialize_keras_object(thing):
    return thing


deserialize_keras_object = serialize_keras_object
