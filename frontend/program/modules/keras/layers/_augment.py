"""Layers that change images, most of them at random while a model trains."""

import _tilewise as _t
from keras._layer import Layer
from keras._leaf import (Tensor, add, broadcast, code, compare, cut, dims, div, expand, full, h_of,
                         many, mul, op, put, random, reduce, reshape, reverse, select, sub,
                         transpose, unary, wrap)
from keras.layers._conv import format_of
from keras.layers._core import Leaf
from keras.layers._encode import _Preprocessing
from keras.layers._shape import resize_mode


class _Images(_Preprocessing):
    """Height and width are dims `at` and `at` + 1 of four."""

    def __init__(self, data_format=None, **kwargs):
        _Preprocessing.__init__(self, **kwargs)
        self.data_format = format_of(data_format)

    def _run_images(self, inputs, work):
        """`work` on [n, height, width, channels] in the type of the layer."""
        if isinstance(inputs, dict):
            return {k: self._run_images(v, work) if k in ("images", "pixel_values") else v
                    for k, v in inputs.items()}
        h = put(self._from(inputs), self._code())
        single = len(dims(h)) == 3
        if single:
            h = reshape(h, (1,) + dims(h))
        first = self.data_format == "channels_first"
        if first:
            h = transpose(h, [0, 2, 3, 1])
        h = work(h)
        if first:
            h = transpose(h, [0, 3, 1, 2])
        return wrap(reshape(h, dims(h)[1:]) if single else h)


def resized(h, height, width, mode="bilinear"):
    if tuple(dims(h)[1:3]) == (height, width):
        return h
    return op("tw.resize", [h], {"dims": [1, 2], "sizes": [height, width],
                                 "mode": resize_mode(mode)})


def center_crop(h, height, width):
    top, left = (dims(h)[1] - height) // 2, (dims(h)[2] - width) // 2
    return cut(cut(h, 1, top, top + height), 2, left, left + width)


def smart_resized(h, height, width, mode="bilinear"):
    """The largest part of these proportions, resized."""
    rows, columns = dims(h)[1:3]
    r = min(rows, max(columns * height // width, 1))
    c = min(columns, max(rows * width // height, 1))
    return resized(center_crop(h, r, c), height, width, mode)


class Resizing(_Images):
    def __init__(self, height, width, interpolation="bilinear", crop_to_aspect_ratio=False,
                 pad_to_aspect_ratio=False, fill_mode="constant", fill_value=0.0,
                 antialias=False, data_format=None, **kwargs):
        _Images.__init__(self, data_format, **kwargs)
        self.height, self.width, self.interpolation = height, width, interpolation
        self.crop_to_aspect_ratio, self.antialias = crop_to_aspect_ratio, antialias
        self.pad_to_aspect_ratio = pad_to_aspect_ratio
        self.supports_masking = True

    def call(self, inputs):
        change = smart_resized if self.crop_to_aspect_ratio else resized
        return self._run_images(inputs, lambda h: change(h, self.height, self.width,
                                                         self.interpolation))


class CenterCrop(_Images):
    def __init__(self, height, width, data_format=None, **kwargs):
        _Images.__init__(self, data_format, **kwargs)
        self.height, self.width = height, width

    def _cropped(self, h):
        rows, columns = dims(h)[1:3]
        if rows >= self.height and columns >= self.width:
            return center_crop(h, self.height, self.width)
        return smart_resized(h, self.height, self.width)

    def call(self, inputs):
        return self._run_images(inputs, self._cropped)


class RandomCrop(CenterCrop):
    def __init__(self, height, width, seed=None, data_format=None, **kwargs):
        CenterCrop.__init__(self, height, width, data_format, **kwargs)
        self.seed = seed

    def _random(self, h):
        n, rows, columns, channels = dims(h)
        if rows < self.height or columns < self.width:
            return smart_resized(h, self.height, self.width)
        zero = _t.known(0, "s32")
        places = [put(mul(random("uniform", []), float(room + 1)), "s32")
                  for room in (rows - self.height, columns - self.width)]
        return op("tw.dynamic_slice", [h, zero] + places + [zero], {
            "sizes": [n, self.height, self.width, channels]})

    def call(self, inputs, training=True):
        return self._run_images(inputs, self._random if training else self._cropped)


class BaseImageAugmentationLayer(_Images):
    """`_change` acts in training. Its arguments matter little to the cost and are kept as they
    come."""
    _names = ("factor",)

    def __init__(self, *args, **kwargs):
        own = dict(zip(self._names, args))
        for name in list(kwargs):
            if name not in ("name", "dtype", "trainable", "data_format") and \
                    not name.endswith("input_shape"):
                own[name] = kwargs.pop(name)
        _Images.__init__(self, **kwargs)
        self._given = own
        for name in own:
            if name not in ("input_shape", "batch_size"):
                setattr(self, name, own[name])

    def call(self, inputs, training=True):
        if not training:
            if isinstance(inputs, Tensor):
                return wrap(put(inputs._h, self._code()))
            return inputs
        return self._run_images(inputs, self._change)

    def _change(self, h):
        if type(self).augment_image is not BaseImageAugmentationLayer.augment_image:
            return self.augment_image(wrap(h))._h
        return h

    def augment_image(self, image, *args, **kwargs):
        return image

    augment_label = augment_bounding_boxes = augment_image

    def _each(self, h, kind="uniform"):
        """A number for each image, [n, 1, 1, 1]."""
        return random(kind, (dims(h)[0], 1, 1, 1), code(h))


class RandomFlip(BaseImageAugmentationLayer):
    _names = ("mode", "seed")
    mode = "horizontal_and_vertical"

    def _change(self, h):
        for axis, name in ((2, "horizontal"), (1, "vertical")):
            if name in self.mode:
                turned = compare("LE", self._each(h), 0.5)
                h = op("tw.select", [broadcast(turned, dims(h)), reverse(h, axis), h])
        return h


def warped(h, linear=True):
    """Each image sampled at places that a random transform of its own gives: one gather of the
    nearest elements, or of four neighbours that are weighted."""
    n, rows, columns, _ = dims(h)
    grid = [broadcast(op("tw.iota", [], {"shape": [1, rows, columns], "dim": d,
                                         "dtype": "f32"}), (n, rows, columns)) for d in (1, 2)]
    places, parts = [], []
    for size in (rows, columns):
        a, b, c = [random("uniform", (n, 1, 1)) for _ in range(3)]
        at = add(add(mul(grid[0], a), mul(grid[1], b)), c)
        low = unary("floor", at)
        parts.append(expand(put(sub(at, low), code(h)), -1))
        places.append(put(op("tw.clamp", [low], {"min": 0.0, "max": float(size - 1)}), "s32"))
    index = op("tw.stack", places, {"dim": 3})
    y = op("tw.gather_nd", [h, index], {"batch_dims": 1})
    if not linear:
        return y
    for part in parts:
        y = add(mul(y, part), mul(y, sub(1.0, part)))
    return y


class _Warp(BaseImageAugmentationLayer):
    interpolation = "bilinear"

    def _change(self, h):
        return warped(h, self.interpolation != "nearest")


class RandomRotation(_Warp):
    _names = ("factor", "fill_mode", "interpolation", "seed", "fill_value")


class RandomZoom(_Warp):
    _names = ("height_factor", "width_factor", "fill_mode", "interpolation", "seed", "fill_value")


class RandomTranslation(RandomZoom):
    pass


class RandomShear(_Warp):
    _names = ("x_factor", "y_factor", "interpolation", "fill_mode", "fill_value")


class RandomPerspective(_Warp):
    _names = ("factor", "scale", "interpolation", "fill_value", "seed")


class RandomElasticTransform(_Warp):
    _names = ("factor", "scale", "interpolation", "fill_mode", "fill_value")


class _Side(BaseImageAugmentationLayer):
    """One side gets another length at random; the mean of it is what it was."""
    _names = ("factor", "interpolation", "seed")

    def _change(self, h):
        _t.note("a random size of images is taken as the size that they had")
        return warped(h)


class RandomHeight(_Side):
    pass


class RandomWidth(_Side):
    pass


class RandomContrast(BaseImageAugmentationLayer):
    _names = ("factor", "value_range", "seed")

    def _change(self, h):
        mean = reduce("mean", h, [1, 2], True)
        y = add(mul(sub(h, mean), self._each(h)), mean)
        return op("tw.clamp", [y], {"min": 0.0, "max": 255.0})


class RandomBrightness(BaseImageAugmentationLayer):
    _names = ("factor", "value_range", "seed")

    def _change(self, h):
        return op("tw.clamp", [add(h, mul(self._each(h), 255.0))], {"min": 0.0, "max": 255.0})


def _gray(h):
    if dims(h)[3] != 3:
        return reduce("mean", h, 3, True)
    return reduce("sum", mul(h, put(h_of([0.2989, 0.587, 0.114]), code(h))), 3, True)


class _Blend(BaseImageAugmentationLayer):
    """Between the image and one of a kind."""
    _names = ("factor", "value_range", "seed")

    def _change(self, h):
        other = self._other(h)
        y = add(other, mul(sub(h, other), self._each(h)))
        return op("tw.clamp", [y], {"min": 0.0, "max": 255.0})

    def _other(self, h):
        return _gray(h)


class RandomGrayscale(_Blend):
    pass


class RandomSaturation(_Blend):
    pass


class RandomColorDegeneration(_Blend):
    pass


class RandomInvert(_Blend):
    def _other(self, h):
        return sub(255.0, h)


def blurred(h, size):
    """A filter of one kernel for each channel."""
    n = dims(h)[3]
    rows, columns = many(size, 2)
    kernel = full(1.0 / (rows * columns), (rows, columns, 1, n), code(h))
    return op("tw.conv", [h, kernel], {"strides": [1, 1], "padding": "SAME", "groups": n})


class RandomSharpness(_Blend):
    def _other(self, h):
        return blurred(h, 3)


class RandomGaussianBlur(BaseImageAugmentationLayer):
    kernel_size = 3
    _names = ("factor", "kernel_size", "sigma", "value_range")

    def _change(self, h):
        rows, columns = many(self.kernel_size, 2)
        return blurred(blurred(h, (rows, 1)), (1, columns))


class RandomHue(BaseImageAugmentationLayer):
    """A rotation of colours."""
    _names = ("factor", "value_range", "seed")

    def _change(self, h):
        turn = random("uniform", (dims(h)[0], 3, 3), code(h))
        return op("tw.einsum", [h, turn], {"equation": "nhwc,ncd->nhwd"})


class RandomColorJitter(BaseImageAugmentationLayer):
    _names = ("value_range", "brightness_factor", "contrast_factor", "saturation_factor",
              "hue_factor", "seed")

    def _change(self, h):
        for kind in (RandomBrightness, RandomContrast, RandomSaturation, RandomHue):
            h = kind._change(self, h)
        return h

    def _other(self, h):
        return _gray(h)


class RandomPosterization(BaseImageAugmentationLayer):
    def _change(self, h):
        return mul(unary("floor", mul(h, 1.0 / 16)), 16.0)


class Solarization(BaseImageAugmentationLayer):
    _names = ("addition_factor", "threshold_factor", "value_range", "seed")

    def _change(self, h):
        y = add(h, self._each(h))
        return select(compare("LT", y, 128.0), y, sub(255.0, y))


class AutoContrast(BaseImageAugmentationLayer):
    _names = ("value_range",)

    def _change(self, h):
        low, high = reduce("min", h, [1, 2], True), reduce("max", h, [1, 2], True)
        return mul(div(sub(h, low), sub(high, low)), 255.0)


class Equalization(BaseImageAugmentationLayer):
    """A histogram of 256 bins for each channel, and what it maps each element to."""
    _names = ("value_range", "bins")

    def _change(self, h):
        n, rows, columns, channels = dims(h)
        flat = reshape(transpose(put(h, "s32"), [0, 3, 1, 2]), (n * channels, rows * columns))
        low = op("tw.sort", [flat], {"dim": 1})
        y = op("tw.take_along", [low, op("tw.clamp", [flat], {"min": 0, "max": 255})],
               {"axis": 1})
        return put(transpose(reshape(y, (n, channels, rows, columns)), [0, 2, 3, 1]), code(h))


class RandomErasing(BaseImageAugmentationLayer):
    _names = ("factor", "scale", "fill_value", "value_range", "seed")

    def _change(self, h):
        n, rows, columns, _ = dims(h)
        inside = None
        for axis, size in ((1, rows), (2, columns)):
            shape = [1, 1, 1, 1]
            shape[axis] = size
            place = op("tw.iota", [], {"shape": shape, "dim": axis, "dtype": "f32"})
            near = compare("LT", unary("abs", sub(place, mul(random("uniform", (n, 1, 1, 1)),
                                                            float(size)))), size / 4.0)
            inside = near if inside is None else op("tw.binary", [inside, near], {"kind": "and"})
        return select(broadcast(inside, dims(h)), 0.0, h)


class MixUp(BaseImageAugmentationLayer):
    _names = ("alpha", "data_format", "seed")

    def _change(self, h):
        other = reverse(h, 0)
        return add(other, mul(sub(h, other), self._each(h)))


class CutMix(RandomErasing):
    _names = ("factor", "seed", "data_format")

    def _change(self, h):
        return add(RandomErasing._change(self, h), RandomErasing._change(self, reverse(h, 0)))


class RandAugment(BaseImageAugmentationLayer):
    """Which changes are drawn is not known: two stand for them."""
    _names = ("value_range", "num_ops", "factor", "interpolation", "seed")
    num_ops = 2

    def _change(self, h):
        for i in range(int(self.num_ops)):
            h = warped(h, False) if i % 2 else RandomBrightness._change(self, h)
        return h


class AugMix(RandAugment):
    _names = ("value_range", "num_chains", "chain_depth", "factor", "alpha", "seed")


class MaxNumBoundingBoxes(BaseImageAugmentationLayer):
    _names = ("max_number", "fill_value")


class Pipeline(Leaf):
    def __init__(self, layers, **kwargs):
        Layer.__init__(self, **kwargs)
        self._layers = list(layers)

    @property
    def layers(self):
        return list(self._layers)

    def call(self, inputs, training=True, mask=None):
        for layer in self._layers:
            inputs = layer(inputs)
        return inputs
