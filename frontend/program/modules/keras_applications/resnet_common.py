"""keras_applications.resnet_common."""

from keras.applications import resnet as _one
from keras.applications import resnet_v2 as _two
from keras_applications._like import like

ResNet50, ResNet101, ResNet152 = like(_one.ResNet50), like(_one.ResNet101), like(_one.ResNet152)
ResNet50V2, ResNet101V2 = like(_two.ResNet50V2), like(_two.ResNet101V2)
ResNet152V2 = like(_two.ResNet152V2)
preprocess_input, decode_predictions = like(_one.preprocess_input), like(_one.decode_predictions)
