from . import (ASPP, ASPPConv, ASPPPooling, DeepLabHead, DeepLabV3,
               DeepLabV3_MobileNet_V3_Large_Weights, DeepLabV3_ResNet50_Weights,
               DeepLabV3_ResNet101_Weights, deeplabv3_mobilenet_v3_large, deeplabv3_resnet50,
               deeplabv3_resnet101)
