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


def maxvit_t(*args, **kwargs):
    return _tilewise.unknown("torchvision.models.maxvit_t, which is read from the source of "
                             "package torchvision")
