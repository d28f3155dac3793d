"""Pictures have a size and a mode, no pixels."""

NEAREST, LANCZOS, BILINEAR, BICUBIC, BOX, HAMMING = range(6)
ANTIALIAS = LANCZOS
FLIP_LEFT_RIGHT, FLIP_TOP_BOTTOM, ROTATE_90, ROTATE_180, ROTATE_270, TRANSPOSE = range(6)
_CHANNELS = {"L": 1, "1": 1, "P": 1, "I": 1, "F": 1, "LA": 2, "RGBA": 4, "CMYK": 4}


class Resampling:
    NEAREST, LANCZOS, BILINEAR, BICUBIC, BOX, HAMMING = range(6)


class Transpose:
    FLIP_LEFT_RIGHT, FLIP_TOP_BOTTOM = 0, 1


class Image:
    NEAREST, LANCZOS, BILINEAR, BICUBIC, BOX, HAMMING = range(6)
    ANTIALIAS, FLIP_LEFT_RIGHT, FLIP_TOP_BOTTOM = 1, 0, 1

    def __init__(self, channels=3, height=375, width=500, mode="RGB"):
        self.channels, self.height, self.width, self.mode = channels, height, width, mode

    @property
    def size(self):
        return (self.width, self.height)

    def getbands(self):
        return tuple(self.mode)

    def convert(self, mode=None, *args, **kwargs):
        return Image(_CHANNELS.get(mode, 3), self.height, self.width, mode)

    def resize(self, size, resample=None, box=None, reducing_gap=None):
        return Image(self.channels, size[1], size[0], self.mode)

    def crop(self, box=None):
        return Image(self.channels, box[3] - box[1], box[2] - box[0], self.mode)

    def split(self):
        return tuple([Image(1, self.height, self.width, "L") for _ in range(self.channels)])

    def _same(self, *args, **kwargs):
        return self

    transpose = rotate = filter = copy = transform = point = thumbnail = _same

    def save(self, *args, **kwargs):
        pass

    close = load = paste = show = save

    def __enter__(self):
        return self

    def __exit__(self, *error):
        return False


def open(fp, mode="r", formats=None):
    """A file's picture, of the size that pictures of ImageNet have on average."""
    name = str(fp).lower()
    if any([w in name for w in ("mask", "segmentation", "label", "annot")]):
        return Image(1, 375, 500, "L")
    return Image(3, 375, 500, "RGB")


def fromarray(obj, mode=None):
    shape = obj.shape
    channels = shape[2] if len(shape) > 2 else 1
    return Image(channels, shape[0], shape[1], mode or ("L" if channels == 1 else "RGB"))


def new(mode, size, color=0):
    return Image(_CHANNELS.get(mode, 3), size[1], size[0], mode)
