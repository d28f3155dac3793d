"""keras_applications.xception."""

from keras.applications import xception as _made
from keras_applications._like import like

Xception = like(_made.Xception)
preprocess_input = like(_made.preprocess_input)
decode_predictions = like(_made.decode_predictions)
