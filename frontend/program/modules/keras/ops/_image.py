"""Operations on images."""

from keras import _leaf as _l
from keras._leaf import dims, h_of, many, op, put, reduce, reshape, wrap


def _first(data_format):
    from keras.layers._conv import format_of
    return format_of(data_format) == "channels_first"


def _last(images, data_format):
    """[n, height, width, channels] and how to bring a result back."""
    h = h_of(images)
    single, first = len(dims(h)) == 3, _first(data_format)
    if single:
        h = _l.expand(h, 0)
    if first:
        h = _l.transpose(h, [0, 2, 3, 1])

    def back(y):
        if first:
            y = _l.transpose(y, [0, 3, 1, 2])
        return wrap(reshape(y, dims(y)[1:]) if single else y)
    return h, back


def resize(images, size, interpolation="bilinear", antialias=False, crop_to_aspect_ratio=False,
           pad_to_aspect_ratio=False, fill_mode="constant", fill_value=0.0, data_format=None):
    from keras.layers._augment import resized, smart_resized
    height, width = _l.sizes(size)
    h, back = _last(images, data_format)
    return back((smart_resized if crop_to_aspect_ratio else resized)(h, height, width,
                                                                     interpolation))


def rgb_to_grayscale(images, data_format=None):
    from keras.layers._augment import _gray
    h, back = _last(images, data_format)
    return back(_gray(h))


def rgb_to_hsv(images, data_format=None):
    h, back = _last(images, data_format)
    high, low = reduce("max", h, 3, True), reduce("min", h, 3, True)
    spread = _l.sub(high, low)
    saturation = _l.div(spread, high)
    turned = _l.div(_l.sub(_l.cut(h, 3, 0, 1), _l.cut(h, 3, 1, 2)), spread)
    return back(_l.concat([_l.mul(turned, 1 / 6), saturation, high], 3))


def hsv_to_rgb(images, data_format=None):
    h, back = _last(images, data_format)
    hue, saturation, value = [_l.cut(h, 3, i, i + 1) for i in range(3)]
    parts = []
    for shift in (5.0, 3.0, 1.0):
        k = _l.binary("floor_modulo", _l.binary("add", _l.mul(hue, 6.0), shift), 6.0)
        near = op("tw.clamp", [_l.binary("minimum", k, _l.sub(4.0, k))], {"min": 0.0, "max": 1.0})
        parts.append(_l.sub(value, _l.mul(_l.mul(value, saturation), near)))
    return back(_l.concat(parts, 3))


def _warp(images, interpolation, data_format):
    from keras.layers._augment import warped
    h, back = _last(images, data_format)
    return back(warped(h, interpolation != "nearest"))


def affine_transform(images, transform, interpolation="bilinear", fill_mode="constant",
                     fill_value=0, data_format=None):
    return _warp(images, interpolation, data_format)


def perspective_transform(images, start_points, end_points, interpolation="bilinear",
                          fill_value=0, data_format=None):
    return _warp(images, interpolation, data_format)


def elastic_transform(images, alpha=20.0, sigma=5.0, interpolation="bilinear",
                      fill_mode="reflect", fill_value=0.0, seed=None, data_format=None):
    return _warp(images, interpolation, data_format)


def scale_and_translate(images, output_shape, scale, translation, spatial_dims, method="linear",
                        antialias=True):
    h = h_of(images)
    wanted = _l.sizes(output_shape)
    return wrap(op("tw.resize", [h], {"dims": list(range(len(wanted))), "sizes": wanted,
                                      "mode": "bilinear"}))


def map_coordinates(inputs, coordinates, order, fill_mode="constant", fill_value=0):
    h, c = h_of(inputs), h_of(coordinates)
    index = put(_l.transpose(c, list(range(1, len(dims(c)))) + [0]), "s32")
    return wrap(op("tw.gather_nd", [h, index], {"batch_dims": 0}))


def gaussian_blur(images, kernel_size=(3, 3), sigma=(1.0, 1.0), data_format=None):
    from keras.layers._augment import blurred
    h, back = _last(images, data_format)
    return back(blurred(h, kernel_size))


def extract_patches(images, size, strides=None, dilation_rate=1, padding="valid",
                    data_format=None):
    h, back = _last(images, data_format)
    rows, columns = many(size, 2)
    step = (rows, columns) if strides is None else many(strides, 2)
    dilation = many(dilation_rate, 2)
    if padding.lower() == "same":
        low, high = [0] * 4, [0] * 4
        for i in range(2):
            n, extent = dims(h)[1 + i], ((rows, columns)[i] - 1) * dilation[i] + 1
            total = max((-(-n // step[i]) - 1) * step[i] + extent - n, 0)
            low[1 + i], high[1 + i] = total // 2, total - total // 2
        h = _l.pad(h, low, high)
    counts = [(dims(h)[1 + i] - ((rows, columns)[i] - 1) * dilation[i] - 1) // step[i] + 1
              for i in range(2)]
    if step == (rows, columns) and dilation == (1, 1):
        n, c = dims(h)[0], dims(h)[3]
        h = _l.cut(_l.cut(h, 1, 0, counts[0] * rows), 2, 0, counts[1] * columns)
        h = reshape(h, (n, counts[0], rows, counts[1], columns, c))
        h = _l.transpose(h, [0, 1, 3, 2, 4, 5])
        return back(reshape(h, (n, counts[0], counts[1], rows * columns * c)))
    parts = []
    for i in range(rows):
        for j in range(columns):
            part = _l.cut(h, 1, i * dilation[0],
                          i * dilation[0] + (counts[0] - 1) * step[0] + 1, step[0])
            parts.append(_l.cut(part, 2, j * dilation[1],
                                j * dilation[1] + (counts[1] - 1) * step[1] + 1, step[1]))
    return back(_l.concat(parts, 3))


def pad_images(images, top_padding=None, left_padding=None, bottom_padding=None,
               right_padding=None, target_height=None, target_width=None, data_format=None):
    h, back = _last(images, data_format)
    _, height, width, _ = dims(h)
    top, bottom = _ends(top_padding, bottom_padding, target_height, height)
    left, right = _ends(left_padding, right_padding, target_width, width)
    return back(_l.pad(h, [0, top, left, 0], [0, bottom, right, 0]))


def _ends(low, high, target, size):
    if low is None:
        low = target - size - (high or 0)
    return low, (target - size - low if high is None else high)


def crop_images(images, top_cropping=None, left_cropping=None, bottom_cropping=None,
                right_cropping=None, target_height=None, target_width=None, data_format=None):
    h, back = _last(images, data_format)
    for axis, low, high, target in ((1, top_cropping, bottom_cropping, target_height),
                                    (2, left_cropping, right_cropping, target_width)):
        size = dims(h)[axis]
        if low is None:
            low = size - target - (high or 0)
        h = _l.cut(h, axis, low, low + target if high is None else size - high)
    return back(h)
