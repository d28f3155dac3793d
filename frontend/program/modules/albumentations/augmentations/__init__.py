"""The older places of the classes."""

import albumentations


def __getattr__(name):
    if name[:2] == "__":
        raise AttributeError(name)
    return getattr(albumentations, name)


from . import transforms
