"""Helpers of models."""

import _tilewise


def get_torchvision_model(name, **options):
    from torchvision import models
    if name not in vars(models) and not hasattr(models, name):
        return _tilewise.unknown("the model " + str(name) + " of torchvision")
    options.pop("weights", None)
    return getattr(models, name)(**options)


def is_overridden(method_name, instance=None, parent=None):
    found = getattr(type(instance), method_name, None)
    return found is not None and (parent is None or found is not getattr(parent, method_name, None))
