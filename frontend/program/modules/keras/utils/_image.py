"""Pictures of files, as arrays of the host."""

import _tilewise
import numpy

_unk = _tilewise.is_unknown
_MODES = {"rgb": "RGB", "rgba": "RGBA", "grayscale": "L"}


def load_img(path, color_mode="rgb", target_size=None, interpolation="nearest",
             keep_aspect_ratio=False, grayscale=False):
    from PIL import Image
    picture = Image.open(path).convert(_MODES.get("grayscale" if grayscale else color_mode, "RGB"))
    if target_size is not None and not _unk(target_size):
        size = (target_size, target_size) if isinstance(target_size, int) else target_size
        picture = picture.resize((size[1], size[0]))
    return picture


def _first(data_format):
    if data_format is None:
        from keras import backend
        data_format = backend.image_data_format()
    return data_format == "channels_first"


def img_to_array(img, data_format=None, dtype=None):
    if _unk(img):
        return img
    a = numpy.array(img).astype(dtype or "float32")
    if len(a.shape) == 2:
        a = a.reshape(a.shape + (1,))
    return a.transpose(2, 0, 1) if _first(data_format) and hasattr(img, "channels") else a


def array_to_img(x, data_format=None, scale=True, dtype=None):
    from PIL import Image
    if _unk(x):
        return x
    shape = tuple(numpy.array(x).shape)
    h, w, n = shape[1:] + shape[:1] if _first(data_format) else shape
    return Image.Image(n, h, w, "L" if n == 1 else "RGB")


def smart_resize(x, size, interpolation="bilinear", data_format=None, backend_module=None):
    if hasattr(x, "_h"):
        from tensorflow import image
        return image.resize(x, size, interpolation)
    if _unk(x):
        return x
    shape = tuple(numpy.array(x).shape)
    return numpy.ndarray(shape[:-3] + tuple(size) + shape[-1:], "float32")


# What augmentations of single pictures give has the picture's shape.


def _same(x, *args, **kwargs):
    return x


random_rotation = random_shift = random_shear = random_zoom = random_channel_shift = _same
random_brightness = apply_affine_transform = apply_channel_shift = apply_brightness_shift = _same
