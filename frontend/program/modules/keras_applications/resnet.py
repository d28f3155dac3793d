"""keras_applications.resnet."""

from keras.applications import resnet as _made
from keras_applications._like import like

ResNet50 = like(_made.ResNet50)
ResNet101 = like(_made.ResNet101)
ResNet152 = like(_made.ResNet152)
preprocess_input = like(_made.preprocess_input)
decode_predictions = like(_made.decode_predictions)
