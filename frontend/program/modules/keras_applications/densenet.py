"""keras_applications.densenet."""

from keras.applications import densenet as _made
from keras_applications._like import like

DenseNet121 = like(_made.DenseNet121)
DenseNet169 = like(_made.DenseNet169)
DenseNet201 = like(_made.DenseNet201)
preprocess_input = like(_made.preprocess_input)
decode_predictions = like(_made.decode_predictions)
