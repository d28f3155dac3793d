"""Models of keras_cv, which are not known."""

import _tilewise


def __getattr__(name):
    if name[:2] == "__":
        raise AttributeError(name)
    _tilewise.note("the model keras_cv.models." + name + " is not known")
    return _tilewise.unknown("keras_cv.models." + name)
