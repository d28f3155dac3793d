"""keras_applications.inception_v3."""

from keras.applications import inception_v3 as _made
from keras_applications._like import like

InceptionV3 = like(_made.InceptionV3)
preprocess_input = like(_made.preprocess_input)
decode_predictions = like(_made.decode_predictions)
