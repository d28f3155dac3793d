"""keras_applications.mobilenet_v2."""

from keras.applications import mobilenet_v2 as _made
from keras_applications._like import like

MobileNetV2 = like(_made.MobileNetV2)
preprocess_input = like(_made.preprocess_input)
decode_predictions = like(_made.decode_predictions)
