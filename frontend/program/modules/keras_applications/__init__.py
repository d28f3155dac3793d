"""keras_applications: models made of the layers of the Keras that is given; else of ours."""

import importlib as _importlib

import keras as _keras

_importlib.import_module("keras")  # It is loaded whatever is used of this one.
__version__ = "1.0.8"


def get_submodules_from_kwargs(kwargs):
    return [kwargs.get(name) or getattr(_keras, name)
            for name in ("backend", "layers", "models", "utils")]


def get_keras_submodule(name):
    return getattr(_keras, name)


def set_keras_submodules(*args, **kwargs):
    pass


def correct_pad(backend, inputs, kernel_size):
    from keras.src.applications import imagenet_utils
    return imagenet_utils.correct_pad(inputs, kernel_size)


def keras_modules_injection(base_fun):
    return base_fun
