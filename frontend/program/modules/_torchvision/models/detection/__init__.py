"""Models that find boxes choose among them by what a picture holds: their parts have sizes that
only data decide, so that they are not known."""

import _tilewise

__partial__ = True


def __getattr__(name):
    if name.startswith("__"):
        raise AttributeError(name)
    return _tilewise.unknown("torchvision.models.detection." + name + ": detection models are read "
                             "from the source of package torchvision; give --python-path")
