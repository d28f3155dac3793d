"""keras_applications.vgg16."""

from keras.applications import vgg16 as _made
from keras_applications._like import like

VGG16 = like(_made.VGG16)
preprocess_input = like(_made.preprocess_input)
decode_predictions = like(_made.decode_predictions)
