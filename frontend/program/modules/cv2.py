"""OpenCV: pictures have a size and no pixels."""

import _tilewise
import numpy

IMREAD_COLOR, IMREAD_GRAYSCALE, IMREAD_UNCHANGED = 1, 0, -1
INTER_NEAREST, INTER_LINEAR, INTER_CUBIC, INTER_AREA, INTER_LANCZOS4 = range(5)
COLOR_BGR2RGB = COLOR_RGB2BGR = 4
COLOR_BGR2GRAY, COLOR_RGB2GRAY, COLOR_GRAY2BGR, COLOR_GRAY2RGB = 6, 7, 8, 8
COLOR_BGR2HSV, COLOR_RGB2HSV, COLOR_HSV2BGR, COLOR_HSV2RGB, COLOR_BGR2LAB = 40, 41, 54, 55, 44
COLOR_BGRA2BGR = COLOR_RGBA2RGB = 1
BORDER_CONSTANT, BORDER_REFLECT, BORDER_REPLICATE, BORDER_REFLECT_101 = 0, 2, 1, 4
FONT_HERSHEY_SIMPLEX = 0
ROTATE_90_CLOCKWISE, ROTATE_180, ROTATE_90_COUNTERCLOCKWISE = 0, 1, 2
__version__ = "4.9.0"


def imread(filename, flags=1):
    """A file's picture, of the size that pictures of ImageNet have on average."""
    return numpy.ndarray((375, 500) if flags == 0 else (375, 500, 3), "uint8")


def imdecode(buf, flags=1):
    return imread("", flags)


def _picture(image):
    return image if _tilewise.is_unknown(image) else numpy.array(image)


def resize(src, dsize=None, dst=None, fx=0, fy=0, interpolation=1):
    image = _picture(src)
    if _tilewise.is_unknown(image) or _tilewise.is_unknown(dsize):
        return _tilewise.unknown("a picture of a size that is not known")
    if dsize is None:
        dsize = (int(image.shape[1] * fx), int(image.shape[0] * fy))
    rest = tuple(image.shape[2:])
    rest = () if rest == (1,) else rest
    return numpy.ndarray((int(dsize[1]), int(dsize[0])) + rest, image.dtype)


def cvtColor(src, code, dst=None, dstCn=0):
    image = _picture(src)
    if _tilewise.is_unknown(image):
        return image
    size = tuple(image.shape[:2])
    if code in (COLOR_BGR2GRAY, COLOR_RGB2GRAY):
        return numpy.ndarray(size, image.dtype)
    return numpy.ndarray(size + (3,), image.dtype)


def _same(src, *args, **kwargs):
    image = _picture(src)
    return image if _tilewise.is_unknown(image) else numpy.ndarray(image.shape, image.dtype)


GaussianBlur = blur = medianBlur = bilateralFilter = flip = equalizeHist = filter2D = _same
dilate = erode = morphologyEx = convertScaleAbs = fastNlMeansDenoising = addWeighted = _same
normalize = bitwise_not = bitwise_and = add = subtract = rectangle = putText = circle = _same
bitwise_or = absdiff = multiply = line = _same


def warpAffine(src, M, dsize, *args, **kwargs):
    return resize(src, dsize)


warpPerspective = warpAffine


def rotate(src, code, dst=None):
    image = _picture(src)
    if _tilewise.is_unknown(image) or code == ROTATE_180:
        return image
    return resize(image, (image.shape[0], image.shape[1]))


def copyMakeBorder(src, top, bottom, left, right, *args, **kwargs):
    image = _picture(src)
    if _tilewise.is_unknown(image):
        return image
    h, w = image.shape[:2]
    return numpy.ndarray((h + top + bottom, w + left + right) + tuple(image.shape[2:]),
                         image.dtype)


class VideoCapture:
    """A film of a few pictures, so that loops over it end."""
    _frames = 32

    def __init__(self, *args):
        self._at = 0
        _tilewise.note("a film is taken to have " + str(self._frames) + " pictures")

    def read(self, image=None):
        self._at += 1
        return (True, imread("")) if self._at <= self._frames else (False, None)

    def grab(self):
        self._at += 1
        return self._at <= self._frames

    def retrieve(self, *args):
        return True, imread("")

    def isOpened(self):
        return True

    def get(self, what):
        return {CAP_PROP_FRAME_COUNT: float(self._frames), CAP_PROP_FPS: 25.0,
                CAP_PROP_FRAME_WIDTH: 500.0, CAP_PROP_FRAME_HEIGHT: 375.0}.get(
                    what, _tilewise.unknown("a property of a film"))

    def set(self, *args):
        return True

    def release(self):
        pass


CAP_PROP_POS_FRAMES, CAP_PROP_FRAME_WIDTH, CAP_PROP_FRAME_HEIGHT, CAP_PROP_FPS = 1, 3, 4, 5
CAP_PROP_FRAME_COUNT = 7


def split(image):
    return [image[:, :, i] for i in range(image.shape[2])]


def merge(channels):
    return numpy.stack(list(channels), 2)


def imwrite(filename, image, *args):
    return True


def imshow(*args):
    pass


destroyAllWindows = setNumThreads = namedWindow = imshow


def waitKey(delay=0):
    return 27


def __getattr__(name):
    if name.startswith("__"):
        raise AttributeError(name)
    return _tilewise.unknown(f"cv2.{name}")
