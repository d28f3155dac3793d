"""keras_applications.resnet_v2."""

from keras.applications import resnet_v2 as _made
from keras_applications._like import like

ResNet50V2 = like(_made.ResNet50V2)
ResNet101V2 = like(_made.ResNet101V2)
ResNet152V2 = like(_made.ResNet152V2)
preprocess_input = like(_made.preprocess_input)
decode_predictions = like(_made.decode_predictions)
