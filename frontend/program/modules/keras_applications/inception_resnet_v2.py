"""keras_applications.inception_resnet_v2."""

from keras.applications import inception_resnet_v2 as _made
from keras_applications._like import like

InceptionResNetV2 = like(_made.InceptionResNetV2)
preprocess_input = like(_made.preprocess_input)
decode_predictions = like(_made.decode_predictions)
