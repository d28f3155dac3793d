"""torchvision.models, written from their papers and from what their documentation says."""

import _tilewise
from . import _api, _utils, detection, segmentation
from .alexnet import *
from .convnext import *
from .densenet import *
from .efficientnet import *
from .googlenet import *
from .inception import *
from .mnasnet import *
from .mobilenetv2 import *
from .mobilenetv3 import *
from .regnet import *
from .resnet import *
from .shufflenetv2 import *
from .squeezenet import *
from .swin_transformer import *
from .vgg import *
from .vision_transformer import *
from ._api import (get_model, get_model_builder, get_model_weights, get_weight, list_models,
                   register_model, Weights, WeightsEnum)

__partial__ = True


def _elsewhere(name):
    return _tilewise.unknown("torchvision.models." + name + ", which is read from the source of "
                             "package torchvision; give --python-path")


def maxvit_t(*args, **kwargs):
    return _elsewhere("maxvit_t")


optical_flow, quantization, video = [_elsewhere(n) for n in (
    "optical_flow", "quantization", "video")]
