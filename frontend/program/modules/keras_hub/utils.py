"""keras_hub.utils."""


def decode_predictions(predictions, top=5):
    import _tilewise
    return _tilewise.unknown("the classes of predictions")
