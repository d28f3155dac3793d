"""Pictures of other sizes; what they show does not matter."""

from .Image import Image


def _sized(image, width, height):
    return Image(image.channels, height, width, image.mode)


def expand(image, border=0, fill=0):
    b = tuple(border) if isinstance(border, (tuple, list)) else (border,)
    left, top, right, bottom = b * 4 if len(b) == 1 else b * 2 if len(b) == 2 else b
    return _sized(image, image.width + left + right, image.height + top + bottom)


def crop(image, border=0):
    return expand(image, -border)


def fit(image, size, *args, **kwargs):
    return _sized(image, *size)


pad = fit


def grayscale(image):
    return image.convert("L")


def _same(image, *args, **kwargs):
    return image


mirror = flip = autocontrast = equalize = invert = posterize = solarize = exif_transpose = _same
contain = colorize = _same
