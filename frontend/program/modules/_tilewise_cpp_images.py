"""Images of OpenCV in C++ programs: what the code says of their sizes."""

import _tilewise

_SIZES = "the size of an image that a file holds"


class Size:
    def __init__(self, width=0, height=0):
        self.width, self.height = width, height

    def area(self):
        return self.width * self.height


class Mat:
    """Rows, columns and channels; others write them where they give an image back."""

    def __init__(self, rows=0, cols=0, kind=0, *more):
        if isinstance(rows, Size):
            kind, rows, cols = cols, rows.height, rows.width
        channels = kind // 8 + 1 if isinstance(kind, int) else 1
        self.rows, self.cols, self.depth_, self.count = rows, cols, kind, channels
        self.data, self.dims = None, 2

    def become(self, rows, cols, channels, *more):
        self.rows, self.cols, self.count = rows, cols, channels

    def like(self, other):
        self.become(other.rows, other.cols, other.count)

    @staticmethod
    def zeros(*values):
        return Mat(*values)

    ones = zeros

    def clone(self):
        made = Mat()
        made.like(self)
        return made

    def copyTo(self, to):
        to.like(self)

    def convertTo(self, to, kind, scale=1, shift=0):
        to.like(self)

    def isContinuous(self):
        return True

    def type(self):
        return self.depth_

    depth = type

    def channels(self):
        return self.count

    def total(self):
        return self.rows * self.cols

    def ptr(self, row=0):
        return None

    def at(self, row, col):
        return _tilewise.unknown("a pixel of an image")

    def __call__(self, part):
        made = Mat()
        made.become(part.height, part.width, self.count)
        return made

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return _tilewise.unknown("cv::Mat::" + name)

    def __mul__(self, other):
        return self

    __add__ = __sub__ = __truediv__ = __mul__


def size_of(image):
    return Size(image.cols, image.rows)


class Rect:
    def __init__(self, x=0, y=0, width=0, height=0):
        self.x, self.y, self.width, self.height = x, y, width, height


def _size_in_file(name):
    """What --assume says, else, where nothing else gives a model, that of torchvision's crops."""
    given = _tilewise.assumed(name)
    if given is not None:
        return given
    return _tilewise.size_or(_tilewise.unknown(_SIZES + "; --assume " + name + "=SIZE gives it"),
                             224)


def imread(path, flags=1):
    made = Mat()
    made.become(_size_in_file("image_height"), _size_in_file("image_width"),
                1 if flags == 0 else 3)
    return made


def _channels_in_file():
    given = _tilewise.assumed("image_channels")
    if given is not None:
        return given
    return _tilewise.size_or(_tilewise.unknown("the channels of an image, which its file says; "
                                               "--assume image_channels=N gives them"), 3)


# Which parameters of stb's readers get the width; those of the height and the channels follow.
_READERS = {"stbi_load()": 1, "stbi_load_16()": 1, "stbi_loadf()": 1, "stbi_load_from_file()": 1,
            "stbi_load_from_memory()": 2, "stbi_info()": 1}


def size_set_by(function, parameter):
    """What a reader of images gives by address; None: it is no size of an image."""
    first = _READERS.get(function)
    if parameter == first:
        return _size_in_file("image_width")
    if first is not None and parameter == first + 1:
        return _size_in_file("image_height")
    if first is not None and parameter == first + 2:
        return _channels_in_file()
    return None


class Pixels:
    """What an image holds is not known, but that it is there."""

    def __getitem__(self, index):
        return _tilewise.unknown("a pixel of an image")


def pixels(*values):
    return Pixels()


def resize(image, to, size, fx=0.0, fy=0.0, *more):
    rows, cols = size.height, size.width
    if rows == 0 and cols == 0:
        rows, cols = int(image.rows * fy), int(image.cols * fx)
    to.become(rows, cols, image.count)


# Codes of conversions whose result has another number of channels.
_CHANNELS = {0: 4, 1: 3, 6: 1, 7: 1, 8: 3}


def cvtColor(image, to, code, channels=0):
    to.become(image.rows, image.cols, channels or _CHANNELS.get(code, image.count))


def split(image, to):
    del to[:]
    for _ in range(image.count):
        part = Mat()
        part.become(image.rows, image.cols, 1)
        to.append(part)


def merge(parts, to):
    to.become(parts[0].rows, parts[0].cols, sum([p.count for p in parts]))


def same(image, to, *more):
    to.like(image)


def shown(*values):
    """What draws or shows an image leaves its size."""


cv = {"Mat": Mat, "Size_": Size, "Size": Size, "Rect": Rect, "imread": imread, "resize": resize,
      "cvtColor": cvtColor, "split": split, "merge": merge, "flip": same, "blur": same,
      "GaussianBlur": same, "min": shown, "max": shown, "imwrite": shown, "imshow": shown,
      "waitKey": shown, "namedWindow": shown, "destroyAllWindows": shown, "rectangle": shown,
      "circle": shown, "line": shown, "putText": shown, "Scalar": shown, "Point_": Size}

stb = {"stbi_load": pixels, "stbi_load_16": pixels, "stbi_loadf": pixels,
       "stbi_load_from_file": pixels, "stbi_load_from_memory": pixels, "stbi_image_free": shown,
       "stbi_set_flip_vertically_on_load": shown, "stbi_write_png": shown, "stbi_write_bmp": shown,
       "stbi_write_tga": shown, "stbi_write_jpg": shown, "stbir_resize_uint8": shown,
       "stbir_resize_float": shown, "stbir_resize_uint8_linear": shown,
       "stbir_resize_uint8_srgb": shown, "stbir_resize_float_linear": shown}
