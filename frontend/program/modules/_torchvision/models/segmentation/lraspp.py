from . import LRASPP, LRASPP_MobileNet_V3_Large_Weights, LRASPPHead, lraspp_mobilenet_v3_large
