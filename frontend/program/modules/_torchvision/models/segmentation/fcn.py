from . import FCN, FCN_ResNet50_Weights, FCN_ResNet101_Weights, FCNHead, fcn_resnet50, fcn_resnet101
