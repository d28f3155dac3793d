"""EfficientNet as a package of its own: pictures come in scaled."""

from keras.applications import efficientnet as _made


def _unscaled(name):
    family = getattr(_made, name)

    def made(include_top=True, weights="imagenet", input_tensor=None, input_shape=None,
             pooling=None, classes=1000, **options):
        known = weights if weights in (None, "imagenet") else "imagenet"
        return family(include_top=include_top, weights=known, input_tensor=input_tensor,
                      input_shape=input_shape, pooling=pooling, classes=classes, scales=False)
    made.__name__ = name
    return made


EfficientNetB0 = _unscaled("EfficientNetB0")
EfficientNetB1 = _unscaled("EfficientNetB1")
EfficientNetB2 = _unscaled("EfficientNetB2")
EfficientNetB3 = _unscaled("EfficientNetB3")
EfficientNetB4 = _unscaled("EfficientNetB4")
EfficientNetB5 = _unscaled("EfficientNetB5")
EfficientNetB6 = _unscaled("EfficientNetB6")
EfficientNetB7 = _unscaled("EfficientNetB7")
preprocess_input = _made.preprocess_input
