"""Types of columns."""

from tensorflow_datasets import features as _f


class Value:
    def __init__(self, dtype, id=None):
        self.dtype = dtype


class ClassLabel(_f.ClassLabel):
    def __init__(self, num_classes=None, names=None, names_file=None, id=None):
        super().__init__(num_classes=num_classes, names=names)


class Image:
    dtype = "PIL.Image.Image"

    def __init__(self, mode=None, decode=True, id=None):
        self.mode, self.decode = mode, decode


class Audio:
    def __init__(self, sampling_rate=None, mono=True, decode=True, id=None):
        self.sampling_rate = sampling_rate


class Sequence:
    def __init__(self, feature, length=-1, id=None):
        self.feature, self.length = feature, length


LargeList = List = Sequence


class Array2D:
    def __init__(self, shape, dtype, id=None):
        self.shape, self.dtype = shape, dtype


Array3D = Array4D = Array5D = Array2D


class Features(dict):
    def copy(self):
        return Features(self)


class Translation:
    def __init__(self, languages, id=None):
        self.languages = languages
