"""keras_applications.efficientnet."""

from keras.applications import efficientnet as _made
from keras_applications._like import like

EfficientNetB0 = like(_made.EfficientNetB0)
EfficientNetB1 = like(_made.EfficientNetB1)
EfficientNetB2 = like(_made.EfficientNetB2)
EfficientNetB3 = like(_made.EfficientNetB3)
EfficientNetB4 = like(_made.EfficientNetB4)
EfficientNetB5 = like(_made.EfficientNetB5)
EfficientNetB6 = like(_made.EfficientNetB6)
EfficientNetB7 = like(_made.EfficientNetB7)
preprocess_input = like(_made.preprocess_input)
decode_predictions = like(_made.decode_predictions)
