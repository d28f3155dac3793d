"""What the models share."""

from collections import OrderedDict
from torch import nn


def _make_divisible(v, divisor, min_value=None):
    """The nearest multiple that is no more than a tenth below."""
    near = max(min_value or divisor, int(v + divisor / 2) // divisor * divisor)
    return near + divisor if near < 0.9 * v else near


class IntermediateLayerGetter(nn.ModuleDict):
    """The children of a model up to the last that is asked for; returns those by new names."""

    def __init__(self, model, return_layers):
        missing = dict(return_layers)
        kept = OrderedDict()
        for name, child in model.named_children():
            if not missing:
                break
            kept[name] = child
            missing.pop(name, None)
        if missing:
            raise ValueError("return_layers are not present in model")
        nn.ModuleDict.__init__(self, kept)
        self.return_layers = {str(k): str(v) for k, v in return_layers.items()}

    def forward(self, x):
        made = OrderedDict()
        for name, child in self.items():
            x = child(x)
            if name in self.return_layers:
                made[self.return_layers[name]] = x
        return made


def handle_legacy_interface(**weights):
    return lambda builder: builder


def kwonly_to_pos_or_kw(fn):
    return fn


def _ovewrite_named_param(kwargs, param, new_value):
    kwargs[param] = new_value


def _ovewrite_value_param(param, actual, expected):
    return expected


class _ModelURLs(dict):
    """Where weights were before they had classes: each name has an address."""

    def __getitem__(self, name):
        return "https://download.pytorch.org/models/" + str(name) + ".pth"
