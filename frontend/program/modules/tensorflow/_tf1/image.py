"""tf.image with the names of TensorFlow 1; the rest is TensorFlow 2's."""

import tensorflow.image as _image


def __getattr__(name):
    return getattr(_image, name)


def resize_images(images, size, method=0, align_corners=False, preserve_aspect_ratio=False,
                  name=None):
    return _image.resize(images, size, _METHODS.get(method, method) if isinstance(method, int)
                         else method, preserve_aspect_ratio)


resize = resize_images
_METHODS = {0: "bilinear", 1: "nearest", 2: "bicubic", 3: "area"}


def resize_bilinear(images, size, align_corners=False, name=None, half_pixel_centers=False):
    return _image.resize(images, size, "bilinear")


def resize_bicubic(images, size, align_corners=False, name=None, half_pixel_centers=False):
    return _image.resize(images, size, "bicubic")


def resize_nearest_neighbor(images, size, align_corners=False, name=None,
                            half_pixel_centers=False):
    return _image.resize(images, size, "nearest")


def resize_area(images, size, align_corners=False, name=None):
    return _image.resize(images, size, "area")


def resize_image_with_pad(image, target_height, target_width, method=0, align_corners=False):
    return _image.resize_with_pad(image, target_height, target_width)


def resize_image_with_crop_or_pad(image, target_height, target_width):
    return _image.resize_with_crop_or_pad(image, target_height, target_width)
