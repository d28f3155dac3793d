"""Sizes of pictures and of tensors that are pictures."""

import _tilewise
from PIL.Image import Image
from torch._tensor import Tensor, wrap


class InterpolationMode:
    NEAREST, BILINEAR, BICUBIC, BOX, HAMMING, LANCZOS = (
        "nearest", "bilinear", "bicubic", "box", "hamming", "lanczos")
    NEAREST_EXACT = "nearest-exact"


def pair(size):
    if isinstance(size, (tuple, list)):
        return tuple(size) if len(size) == 2 else (size[0], size[0])
    return (size, size)


def size_of(img):
    if _tilewise.is_unknown(img):
        img = Image()
    return tuple(img.shape[-2:]) if isinstance(img, Tensor) else (img.height, img.width)


get_image_size = lambda img: list(reversed(size_of(img)))


def get_dimensions(img):
    c = img.shape[-3] if isinstance(img, Tensor) else img.channels
    return [c] + list(size_of(img))


def sized(img, height, width):
    """The picture in another size."""
    if _tilewise.is_unknown(img):
        img = Image()
    if isinstance(img, Tensor):
        shape = list(img.shape[:-2]) + [height, width]
        return wrap(_tilewise.input(shape, _tilewise.dtype(img._h), "", None))
    return type(img)(img.channels, height, width, img.mode)


def resize(img, size, interpolation=None, max_size=None, antialias=None):
    if isinstance(size, (tuple, list)) and len(size) == 2:
        return sized(img, *size)
    n = size[0] if isinstance(size, (tuple, list)) else size
    h, w = size_of(img)
    return sized(img, n, int(n * w / h)) if h <= w else sized(img, int(n * h / w), n)


def center_crop(img, output_size):
    return sized(img, *pair(output_size))


def crop(img, top, left, height, width):
    return sized(img, height, width)


def resized_crop(img, top, left, height, width, size, interpolation=None, antialias=None):
    return sized(img, *pair(size))


def to_tensor(pic, code="f32"):
    if _tilewise.is_unknown(pic):
        pic = Image()
    if isinstance(pic, Tensor):
        return pic
    if not hasattr(pic, "channels"):
        from torch._tensor import tensor
        x = tensor(pic)
        return x.permute(2, 0, 1) if x.dim() == 3 else x
    return wrap(_tilewise.input([pic.channels, pic.height, pic.width], code, "", None))


def to_pil_image(pic, mode=None):
    if _tilewise.is_unknown(pic):
        return Image()
    if not hasattr(pic, "shape"):
        return pic
    sizes = list(pic.shape)
    if len(sizes) == 2:
        return Image(1, sizes[0], sizes[1], "L")
    if isinstance(pic, Tensor):
        return Image(*sizes[-3:])
    return Image(sizes[2], sizes[0], sizes[1])


def pil_to_tensor(pic):
    return to_tensor(pic, "u8")


to_image = pil_to_tensor


def convert_image_dtype(image, dtype=None):
    return image.to(dtype) if dtype is not None else image.float()


to_dtype = convert_image_dtype


def to_grayscale(img, num_output_channels=1):
    if _tilewise.is_unknown(img):
        img = Image()
    if isinstance(img, Tensor):
        return img[..., :num_output_channels, :, :]
    return type(img)(num_output_channels, img.height, img.width, "L")


def _same(img, *args, **kwargs):
    return img


normalize = hflip = vflip = rotate = affine = adjust_brightness = adjust_contrast = _same
adjust_saturation = adjust_hue = adjust_gamma = gaussian_blur = erase = _same
perspective = posterize = solarize = equalize = invert = autocontrast = adjust_sharpness = _same
