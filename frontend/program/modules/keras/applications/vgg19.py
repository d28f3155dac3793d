from .vgg16 import VGG19, decode_predictions, preprocess_input
