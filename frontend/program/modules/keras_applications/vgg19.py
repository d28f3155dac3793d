"""keras_applications.vgg19."""

from keras.applications import vgg19 as _made
from keras_applications._like import like

VGG19 = like(_made.VGG19)
preprocess_input = like(_made.preprocess_input)
decode_predictions = like(_made.decode_predictions)
