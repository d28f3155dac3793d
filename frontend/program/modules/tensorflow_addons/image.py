"""tfa.image: every function gives images of the size and type that it gets."""

from tensorflow._image_color import tensor


def _keeps_shape(name):
    def function(images=None, *args, **kwargs):
        for word in ("image", "images", "input", "image1"):
            images = kwargs.pop(word, images)
        return tensor(images)
    function.__name__ = name
    return function


rotate, transform = _keeps_shape("rotate"), _keeps_shape("transform")
translate, translate_xy = _keeps_shape("translate"), _keeps_shape("translate_xy")
shear_x, shear_y = _keeps_shape("shear_x"), _keeps_shape("shear_y")
equalize, sharpness = _keeps_shape("equalize"), _keeps_shape("sharpness")
blend = _keeps_shape("blend")
cutout, random_cutout = _keeps_shape("cutout"), _keeps_shape("random_cutout")
mean_filter2d = _keeps_shape("mean_filter2d")
median_filter2d = _keeps_shape("median_filter2d")
gaussian_filter2d = _keeps_shape("gaussian_filter2d")
adjust_hsv_in_yiq = _keeps_shape("adjust_hsv_in_yiq")
random_hsv_in_yiq = _keeps_shape("random_hsv_in_yiq")
dense_image_warp = _keeps_shape("dense_image_warp")
