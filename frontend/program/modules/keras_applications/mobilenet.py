"""keras_applications.mobilenet."""

from keras.applications import mobilenet as _made
from keras_applications._like import like

MobileNet = like(_made.MobileNet)
preprocess_input = like(_made.preprocess_input)
decode_predictions = like(_made.decode_predictions)
