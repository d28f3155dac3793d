"""Layers of keras_cv that change images: those of Keras, and some more."""

import _tilewise
from keras import layers as _layers
from keras.layers import _augment
from keras.layers._augment import RandomErasing


class RandAugment(_augment.RandAugment):
    _names = ("value_range", "augmentations_per_image", "magnitude", "magnitude_stddev", "rate",
              "geometric", "seed")
    augmentations_per_image = 3
    num_ops = property(lambda self: self.augmentations_per_image)

    @staticmethod
    def get_standard_policy(value_range=(0, 255), magnitude=0.5, magnitude_stddev=0.15,
                            geometric=True, seed=None):
        names = "AutoContrast Equalization Solarization RandomColorDegeneration RandomContrast " \
            "RandomBrightness" + (" RandomShear RandomTranslation" if geometric else "")
        return [getattr(_layers, name)(magnitude) for name in names.split()]


class Grayscale(_augment.RandomGrayscale):
    pass


class RandomCutout(RandomErasing):
    _names = ("height_factor", "width_factor", "fill_mode", "fill_value", "seed")


class GridMask(RandomErasing):
    _names = ("ratio_factor", "rotation_factor", "fill_mode", "fill_value", "seed")


class RandomCropAndResize(_augment._Images):
    def __init__(self, target_size, crop_area_factor=None, aspect_ratio_factor=None,
                 interpolation="bilinear", seed=None, **kwargs):
        _augment._Images.__init__(self, **kwargs)
        self.target_size = target_size

    def call(self, inputs, training=True):
        height, width = self.target_size
        return self._run_images(inputs, lambda h: _augment.smart_resized(h, height, width))


class JitteredResize(RandomCropAndResize):
    def __init__(self, target_size, scale_factor=None, **kwargs):
        for name in ("crop_size", "bounding_box_format", "interpolation", "seed"):
            kwargs.pop(name, None)
        RandomCropAndResize.__init__(self, target_size, **kwargs)


class RandomChannelShift(_augment.RandomBrightness):
    pass


class Augmenter(_layers.Layer):
    """Layers one after the other."""

    def __init__(self, layers, **kwargs):
        _layers.Layer.__init__(self, **kwargs)
        self.augmentations = list(layers)

    def call(self, inputs, training=True):
        for layer in self.augmentations:
            inputs = layer(inputs, training=training)
        return inputs


class RandomApply(_layers.Layer):
    """Where it is not applied, its work is done all the same."""

    def __init__(self, layer, rate=0.5, **kwargs):
        _layers.Layer.__init__(self)
        self.layer = layer

    def call(self, inputs, training=True):
        return self.layer(inputs, training=training)


class RandomAugmentationPipeline(_layers.Layer):
    """Which layers are drawn is not known: the first stand for them."""

    def __init__(self, layers, augmentations_per_image=1, rate=1.0, **kwargs):
        _layers.Layer.__init__(self)
        self.layers, self.augmentations_per_image = list(layers), augmentations_per_image

    def call(self, inputs, training=True):
        for layer in self.layers[:self.augmentations_per_image]:
            inputs = layer(inputs, training=training)
        return inputs


class RandomChoice(RandomAugmentationPipeline):
    def __init__(self, layers, **kwargs):
        RandomAugmentationPipeline.__init__(self, layers)


def __getattr__(name):
    if name[:2] == "__":
        raise AttributeError(name)
    if hasattr(_layers, name):
        return getattr(_layers, name)
    return _tilewise.unknown("keras_cv.layers." + name)
