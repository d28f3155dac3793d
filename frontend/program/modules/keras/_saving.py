"""Models on disk, which tilewise does not read."""

import _tilewise as _t


def load_model(filepath, *args, **kwargs):
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


save_weights = save_model


def load_weights(model, filepath=None, *args, **kwargs):
    pass


def serialize_keras_object(thing):
    return thing


deserialize_keras_object = serialize_keras_object
