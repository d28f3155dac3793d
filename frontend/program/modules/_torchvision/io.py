"""Files of pictures: each is taken to be as large as one of ImageNet."""

import _tilewise


class ImageReadMode:
    UNCHANGED, GRAY, GRAY_ALPHA, RGB, RGB_ALPHA = (
        "unchanged", "gray", "gray_alpha", "rgb", "rgb_alpha")


def read_image(path, mode=ImageReadMode.UNCHANGED, *args, **kwargs):
    from PIL.Image import Image
    from torchvision.transforms.functional import pil_to_tensor
    gray = mode == ImageReadMode.GRAY
    return pil_to_tensor(Image(1 if gray else 3, 375, 500, "L" if gray else "RGB"))


decode_image = decode_jpeg = decode_png = read_image


def read_file(path):
    return _tilewise.unknown("a file")


def write_jpeg(input, filename, quality=75):
    pass


write_png = write_file = write_jpeg


def read_video(filename, *args, **kwargs):
    what = _tilewise.unknown("a video")
    return what, what, {}
