"""keras_applications.resnet50."""

from keras.applications import resnet50 as _made
from keras_applications._like import like

ResNet50 = like(_made.ResNet50)
preprocess_input = like(_made.preprocess_input)
decode_predictions = like(_made.decode_predictions)
