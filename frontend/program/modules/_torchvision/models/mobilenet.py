from .mobilenetv2 import *
from .mobilenetv3 import *
from .mobilenetv2 import MobileNetV2, mobilenet_v2, model_urls
from .mobilenetv3 import MobileNetV3, mobilenet_v3_large, mobilenet_v3_small
