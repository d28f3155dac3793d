from .resnet import ResNet50, decode_predictions, preprocess_input
