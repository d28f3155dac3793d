"""Models by name, and what is known of their weights: which there are, and of which pictures."""

import fnmatch
import _python
import _tilewise
from enum import Enum

_BUILDERS, _WEIGHTS = {}, {}


class Weights:
    def __init__(self, url, transforms, meta):
        self.url, self.transforms, self.meta = url, transforms, meta


class WeightsEnum(Enum):
    @classmethod
    def verify(cls, obj):
        return cls[obj.split(".")[-1]] if isinstance(obj, str) else obj

    @property
    def url(self):
        return self.value.url

    @property
    def meta(self):
        return self.value.meta

    @property
    def transforms(self):
        return self.value.transforms

    def get_state_dict(self, *args, **kwargs):
        return {}


def _one(label, version, crop):
    def transforms(**options):
        from torchvision.transforms._presets import ImageClassification
        return ImageClassification(crop_size=crop, **options)
    name = _tilewise.unknown("the name of a class of ImageNet")
    meta = {"categories": [name] * 1000, "min_size": (crop, crop),
            "num_params": _tilewise.unknown("how many parameters a file of weights has")}
    return Weights("https://download.pytorch.org/models/" + label + "-" + version + ".pth",
                   transforms, meta)


def weights_of(label, versions):
    """The weights of a model: pairs of a name and the size of the pictures. The last that were
    trained on ImageNet alone are the default."""
    made = {name: _one(label, name, size) for name, size in versions}
    plain = [n for n in made if "SWAG" not in n and "FEATURES" not in n] or list(made)
    made["DEFAULT"] = made[plain[-1]]
    return WeightsEnum(label + "_Weights", list(made.items()))


def first(crop=224):
    return (("IMAGENET1K_V1", crop),)


def second(crop=224):
    return first(crop) + (("IMAGENET1K_V2", crop),)


def swag(crop):
    """Weights that were made from other pictures, then trained further or with a new head."""
    return (("IMAGENET1K_SWAG_E2E_V1", crop), ("IMAGENET1K_SWAG_LINEAR_V1", 224))


def builder(name, make, weights=None, with_weights=None):
    """The function of a model. `with_weights`: its options where weights are asked for, which
    may depend on them."""
    def model(weights=None, progress=True, **options):
        weights = options.pop("pretrained", weights)
        if with_weights is not None and weights is not None and weights is not False:
            of = _WEIGHTS[name]
            chosen = of.DEFAULT if weights is True else of.verify(weights)
            for key, value in with_weights(chosen).items():
                options.setdefault(key, value)
        return make(**options)
    model.__name__ = model.__qualname__ = name
    _BUILDERS[name] = model
    if weights is not None:
        _WEIGHTS[name] = weights
    return model


def family(make, rows, with_weights=None):
    """The functions and the weights of a table of models, by their names. A row is the name,
    that of the weights, their versions, and the arguments of `make`."""
    made = {}
    for name, label, versions, *arguments in rows:
        weights = weights_of(label, versions)
        made[label + "_Weights"] = weights
        made[name] = builder(name, _bound(make, arguments), weights, with_weights)
    return made


def _bound(make, arguments):
    options = arguments[-1] if arguments and isinstance(arguments[-1], dict) else {}
    places = arguments[:-1] if arguments and isinstance(arguments[-1], dict) else arguments
    return lambda **given: make(*places, **{**options, **given})


def register_model(name=None):
    def keep(function):
        _BUILDERS[name if name is not None else function.__name__] = function
        return function
    return keep


def _known():
    """All builders: those of segmentation are there once their module is loaded."""
    _python.import_module("torchvision.models.segmentation")
    return _BUILDERS


def list_models(module=None, include=None, exclude=None):
    names = sorted(_known())
    if module is not None:
        names = [n for n in names if hasattr(module, n)]
    if include is not None:
        wanted = [include] if isinstance(include, str) else include
        names = [n for n in names if any(fnmatch.fnmatch(n, w) for w in wanted)]
    if exclude is not None:
        dropped = [exclude] if isinstance(exclude, str) else exclude
        names = [n for n in names if not any(fnmatch.fnmatch(n, w) for w in dropped)]
    return names


def get_model_builder(name):
    if _tilewise.is_unknown(name):
        return name
    name = name.lower()
    if name not in _known():
        raise ValueError("Unknown model " + name)
    return _BUILDERS[name]


def get_model(name, **config):
    return get_model_builder(name)(**config)


def get_model_weights(name):
    name = name if isinstance(name, str) else name.__name__
    _known()
    return _WEIGHTS[name] if name in _WEIGHTS else _tilewise.unknown("the weights of " + name)


def get_weight(name):
    label, version = name.split(".")
    _known()
    for of in _WEIGHTS.values():
        if of.__name__ == label:
            return of[version]
    return _tilewise.unknown("the weights " + name)
