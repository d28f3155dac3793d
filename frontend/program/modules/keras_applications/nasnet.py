"""keras_applications.nasnet."""

from keras.applications import nasnet as _made
from keras_applications._like import like

NASNetMobile = like(_made.NASNetMobile)
NASNetLarge = like(_made.NASNetLarge)
preprocess_input = like(_made.preprocess_input)
decode_predictions = like(_made.decode_predictions)
