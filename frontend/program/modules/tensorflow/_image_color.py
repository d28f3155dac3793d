"""Colours and qualities of images."""

import _tilewise
from tensorflow import _dtypes
from tensorflow._dtypes import BY_CODE, FLOATS
from tensorflow._image import at, image_handle
from tensorflow._math import cast, reduced
from tensorflow._strings import TextTensor, outside
from tensorflow._tensor import Tensor, binary, convert, handle, number_of, tensor, unary, wrap

_op = _tilewise.op
_unk = _tilewise.is_unknown
_shape = _tilewise.shape


def convert_image_dtype(image, dtype, saturate=False, name=None):
    h = image_handle(image)
    if _unk(h):
        return h
    to, of = _dtypes.as_dtype(dtype), BY_CODE[_tilewise.dtype(h)]
    if to is of:
        return wrap(h)
    if of.is_floating and to.is_floating:
        return wrap(convert(h, to.code))
    if to.is_floating:
        return cast(wrap(h), to) * (1.0 / of.max)
    if of.is_floating:
        return cast(wrap(h) * (to.max + 0.5), to)
    return cast(wrap(h), to)


def _in_float(function):
    """Of images of whole numbers the result is of their type again."""
    def wrapper(image, *args, **kwargs):
        kwargs.pop("name", None)
        h = image_handle(image)
        if _unk(h):
            return h
        code = _tilewise.dtype(h)
        y = function(wrap(h if code in FLOATS else convert(h, "f32")), *args, **kwargs)
        return y if code in FLOATS or _unk(y) else cast(y, BY_CODE[code])
    wrapper.__name__ = function.__name__
    return wrapper


def _mean_of_all(x):
    d = at(x._h)
    return reduced("mean", x, [d, d + 1], True)


def adjust_brightness(image, delta):
    return _in_float(lambda x: x + delta)(image)


def adjust_contrast(images, contrast_factor):
    def change(x):
        mean = _mean_of_all(x)
        return (x - mean) * contrast_factor + mean
    return _in_float(change)(images)


def adjust_gamma(image, gamma=1, gain=1):
    return _in_float(lambda x: binary("power", x, gamma) * gain)(image)


def adjust_saturation(image, saturation_factor, name=None):
    def change(x):
        gray = _gray(x)
        return (x - gray) * saturation_factor + gray
    return _in_float(change)(image)


def adjust_hue(image, delta, name=None):
    return _in_float(lambda x: hsv_to_rgb(rgb_to_hsv(x)))(image)


def adjust_jpeg_quality(image, jpeg_quality, name=None):
    return tensor(image)


def _drawn(low=0.0, high=1.0):
    from tensorflow._random import uniform
    return uniform([], low, high)


def random_brightness(image, max_delta, seed=None):
    return adjust_brightness(image, _drawn(-max_delta, max_delta))


def random_contrast(image, lower, upper, seed=None):
    return adjust_contrast(image, _drawn(lower, upper))


def random_saturation(image, lower, upper, seed=None):
    return adjust_saturation(image, _drawn(lower, upper))


def random_hue(image, max_delta, seed=None):
    return adjust_hue(image, _drawn(-max_delta, max_delta))


def random_jpeg_quality(image, min_jpeg_quality, max_jpeg_quality, seed=None):
    return tensor(image)


stateless_random_brightness, stateless_random_contrast = random_brightness, random_contrast
stateless_random_saturation, stateless_random_hue = random_saturation, random_hue
stateless_random_jpeg_quality = random_jpeg_quality


def per_image_standardization(image):
    h = image_handle(image)
    if _unk(h):
        return h
    x = wrap(h if _tilewise.dtype(h) in FLOATS else convert(h, "f32"))
    dims = list(range(at(h), len(_shape(h))))
    n = 1
    for d in dims:
        n *= _shape(h)[d]
    deviation = reduced("std", x, dims, True)
    return (x - reduced("mean", x, dims, True)) / binary("maximum", deviation, 1.0 / n ** 0.5)


def _gray(x):
    weights = wrap(_tilewise.known([0.2989, 0.587, 0.114], _tilewise.dtype(x._h)))
    return reduced("sum", x * weights, [-1], True)


def rgb_to_grayscale(images, name=None):
    return _in_float(_gray)(images)


def grayscale_to_rgb(images, name=None):
    h = image_handle(images)
    if _unk(h):
        return h
    sizes = list(_shape(h))[:-1] + [3]
    return wrap(_op("tw.broadcast_in_dim", [h], {"shape": sizes,
                                                 "dims": list(range(len(sizes)))}))


def rgb_to_hsv(images, name=None):
    x = tensor(images)
    top, low = reduced("max", x, [-1], True), reduced("min", x, [-1], True)
    spread = top - low
    saturation = spread / binary("maximum", top, 1e-7)
    hue = (x - low) / binary("maximum", spread, 1e-7)
    parts = [reduced("sum", hue, [-1], True), saturation, top]
    return wrap(_op("tw.concatenate", [p._h for p in parts], {"dim": -1}))


def hsv_to_rgb(images, name=None):
    x = tensor(images)
    hue, saturation, value = x[..., :1], x[..., 1:2], x[..., 2:]
    shift = wrap(_tilewise.known([3.0, 2.0, 4.0], _tilewise.dtype(x._h)))
    wave = wrap(_op("tw.clamp", [unary("abs", hue * 6.0 - shift)._h], {"min": 0.0, "max": 1.0}))
    return ((wave - 1.0) * saturation + 1.0) * value


def _by_matrix(images, name=None):
    x = tensor(images)
    matrix = wrap(_tilewise.full(0.3, [3, 3], _tilewise.dtype(x._h)))
    from tensorflow._linear import tensordot
    return tensordot(x, matrix, 1)


rgb_to_yuv = yuv_to_rgb = rgb_to_yiq = yiq_to_rgb = _by_matrix


def total_variation(images, name=None):
    x = tensor(images)
    d = at(x._h)
    dims = list(range(d, len(_shape(x._h))))
    down = x[:, 1:] - x[:, :-1] if d else x[1:] - x[:-1]
    right = x[:, :, 1:] - x[:, :, :-1] if d else x[:, 1:] - x[:, :-1]
    return reduced("sum", unary("abs", down), dims, False) + \
        reduced("sum", unary("abs", right), dims, False)


def psnr(a, b, max_val, name=None):
    x, y = cast(a, "float32"), cast(b, "float32")
    error = reduced("mean", unary("square", x - y), [-3, -2, -1], False)
    return 10.0 * unary("log", max_val ** 2 / error) / 2.302585


def _windows(x, size):
    """The mean of each window of a filter, on each channel alone."""
    from tensorflow._nn import conv
    c = _shape(x._h)[-1]
    kernel = _tilewise.full(1.0 / size ** 2, [size, size, 1, c], _tilewise.dtype(x._h))
    return wrap(conv(x._h, kernel, 1, "VALID", 1, False, c))


def ssim(img1, img2, max_val=1.0, filter_size=11, filter_sigma=1.5, k1=0.01, k2=0.03,
         return_index_map=False):
    x, y = cast(img1, "float32"), cast(img2, "float32")
    c1, c2 = (k1 * max_val) ** 2, (k2 * max_val) ** 2
    mx, my = _windows(x, filter_size), _windows(y, filter_size)
    light = (2.0 * mx * my + c1) / (unary("square", mx) + unary("square", my) + c1)
    both = _windows(x * y, filter_size) * 2.0
    squares = _windows(unary("square", x) + unary("square", y), filter_size)
    contrast = (both - 2.0 * mx * my + c2) / (squares - unary("square", mx) -
                                              unary("square", my) + c2)
    return reduced("mean", light * contrast, [-3, -2, -1], False)


def ssim_multiscale(img1, img2, max_val=1.0, power_factors=(0.0448, 0.2856, 0.3001, 0.2363, 0.1333),
                    filter_size=11, filter_sigma=1.5, k1=0.01, k2=0.03):
    from tensorflow._nn import avg_pool
    x, y = cast(img1, "float32"), cast(img2, "float32")
    total = None
    for power in power_factors:
        part = binary("power", unary("relu", ssim(x, y, max_val, filter_size)), power)
        total = part if total is None else total * part
        x, y = avg_pool(x, 2, 2, "SAME"), avg_pool(y, 2, 2, "SAME")
    return total
