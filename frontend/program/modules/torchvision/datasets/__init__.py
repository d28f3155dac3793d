"""torchvision.datasets: how many pictures of which size; no file is read."""

import _tilewise
from PIL.Image import Image as Picture
from torch.utils.data import Dataset


class VisionDataset(Dataset):
    _train, _test, _picture, _classes = None, None, (3, 256, 256), 1000
    _gray = False  # its pictures are a tensor, not an array

    def __init__(self, root=None, transforms=None, transform=None, target_transform=None):
        self.root, self.transform, self.target_transform = root, transform, target_transform
        self.transforms = transforms
        self.train = True

    @property
    def classes(self):
        return [str(i) for i in range(self._classes)]

    @property
    def class_to_idx(self):
        return {str(i): i for i in range(self._classes)}

    # Programs that keep some classes only give it what is left.
    _targets = _labels = _data = None

    @property
    def targets(self):
        if self._targets is not None:
            return self._targets
        n = len(self)
        if self._gray:
            from torch import randint
            return randint(0, self._classes, (n,))
        return n if _tilewise.is_unknown(n) else [0] * n

    @targets.setter
    def targets(self, value):
        self._targets = value

    @property
    def labels(self):
        import numpy
        return numpy.ndarray([len(self)], "int64") if self._labels is None else self._labels

    @labels.setter
    def labels(self, value):
        self._labels = value

    def __len__(self):
        if self._data is not None:
            return len(self._data)
        n = self._train if self.train else self._test
        return n if n is not None else _tilewise.unknown("how many pictures a folder holds")

    def __getitem__(self, index):
        c, h, w = self._picture
        x, y = Picture(c, h, w, "L" if c == 1 else "RGB"), 0
        if self.transform is not None:
            x = self.transform(x)
        if self.target_transform is not None:
            y = self.target_transform(y)
        if self.transforms is not None:
            x, y = self.transforms(x, y)
        return x, y


class _Known(VisionDataset):
    def __init__(self, root=None, train=True, transform=None, target_transform=None,
                 download=False, **options):
        VisionDataset.__init__(self, root, None, transform, target_transform)
        self.train = train
        if "split" in options:
            self.train = options["split"] in ("train", "letters", "unlabeled", "train+unlabeled")

    @property
    def data(self):
        if self._data is not None:
            return self._data
        c, h, w = self._picture
        if self._gray:
            from torch import wrap
            return wrap(_tilewise.input([len(self), h, w], "u8", "", None))
        import numpy
        return numpy.ndarray([len(self), h, w] + ([c] if c > 1 else []), "uint8")

    @data.setter
    def data(self, value):
        self._data = value

    train_data = test_data = data
    train_labels = test_labels = VisionDataset.targets


def _known(name, train, test, picture, classes):
    class Kind(_Known):
        _train, _test, _picture, _classes = train, test, picture, classes
        _gray = picture[0] == 1
    Kind.__name__ = Kind.__qualname__ = name
    return Kind


MNIST = _known("MNIST", 60000, 10000, (1, 28, 28), 10)
FashionMNIST = _known("FashionMNIST", 60000, 10000, (1, 28, 28), 10)
KMNIST = _known("KMNIST", 60000, 10000, (1, 28, 28), 10)
QMNIST = _known("QMNIST", 60000, 60000, (1, 28, 28), 10)
CIFAR10 = _known("CIFAR10", 50000, 10000, (3, 32, 32), 10)
CIFAR100 = _known("CIFAR100", 50000, 10000, (3, 32, 32), 100)
USPS = _known("USPS", 7291, 2007, (1, 16, 16), 10)
SEMEION = _known("SEMEION", 1593, 1593, (1, 16, 16), 10)


class _Split(_Known):
    """Their second argument is the name of the part."""

    def __init__(self, root=None, split="train", transform=None, target_transform=None,
                 download=False, **options):
        _Known.__init__(self, root, split in ("train", "trainval", "unlabeled"), transform,
                        target_transform)
        self.split = split


# These are arrays in memory; pictures of the others lie in files.
_ARRAYS = ("EMNIST", "SVHN", "STL10", "FER2013", "PCAM")


def _split(name, train, test, picture, classes):
    class Kind(_Split):
        _train, _test, _picture, _classes = train, test, picture, classes
        _item_calls = () if name in _ARRAYS else ("PIL.decode_jpeg",)
    Kind.__name__ = Kind.__qualname__ = name
    return Kind


ImageNet = _split("ImageNet", 1281167, 50000, (3, 375, 500), 1000)
EMNIST = _split("EMNIST", 124800, 20800, (1, 28, 28), 26)
SVHN = _split("SVHN", 73257, 26032, (3, 32, 32), 10)
STL10 = _split("STL10", 5000, 8000, (3, 96, 96), 10)
Food101 = _split("Food101", 75750, 25250, (3, 512, 512), 101)
OxfordIIITPet = _split("OxfordIIITPet", 3680, 3669, (3, 375, 500), 37)
Flowers102 = _split("Flowers102", 1020, 6149, (3, 500, 667), 102)
CelebA = _split("CelebA", 162770, 19962, (3, 218, 178), 40)
LSUN = _split("LSUN", 3033042, 300, (3, 256, 341), 10)
Places365 = _split("Places365", 1803460, 36500, (3, 256, 256), 365)
GTSRB = _split("GTSRB", 26640, 12630, (3, 32, 32), 43)
DTD = _split("DTD", 1880, 1880, (3, 500, 500), 47)
FGVCAircraft = _split("FGVCAircraft", 3334, 3333, (3, 700, 1000), 100)
StanfordCars = _split("StanfordCars", 8144, 8041, (3, 480, 700), 196)
Country211 = _split("Country211", 31650, 21100, (3, 500, 500), 211)
FER2013 = _split("FER2013", 28709, 7178, (1, 48, 48), 7)
PCAM = _split("PCAM", 262144, 32768, (3, 96, 96), 2)
RenderedSST2 = _split("RenderedSST2", 6920, 1821, (3, 448, 448), 2)
SUN397 = _split("SUN397", 108754, 108754, (3, 500, 500), 397)
EuroSAT = _split("EuroSAT", 27000, 27000, (3, 64, 64), 10)
Caltech101 = _split("Caltech101", 8677, 8677, (3, 200, 300), 101)
Caltech256 = _split("Caltech256", 30607, 30607, (3, 300, 300), 257)
Imagenette = _split("Imagenette", 9469, 3925, (3, 375, 500), 10)
LFWPeople = _split("LFWPeople", 9525, 3708, (3, 250, 250), 5749)
Omniglot = _split("Omniglot", 19280, 13180, (1, 105, 105), 964)
INaturalist = _split("INaturalist", 2686843, 100000, (3, 375, 500), 10000)
CLEVRClassification = _split("CLEVRClassification", 70000, 15000, (3, 320, 480), 10)


class _Pairs(_Split):
    """Pictures, each with another thing that is no class number."""
    _item_calls = ("PIL.decode_jpeg",)

    def _answer(self, c, h, w):
        return Picture(1, h, w, "L")

    def __getitem__(self, index):
        c, h, w = self._picture
        x, y = Picture(c, h, w, "RGB"), self._answer(c, h, w)
        if self.transforms is not None:
            return self.transforms(x, y)
        if self.transform is not None:
            x = self.transform(x)
        if self.target_transform is not None:
            y = self.target_transform(y)
        return x, y


class VOCSegmentation(_Pairs):
    """With masks."""
    _train, _test, _picture, _classes = 1464, 1449, (3, 375, 500), 21

    def __init__(self, root=None, year="2012", image_set="train", download=False, transform=None,
                 target_transform=None, transforms=None):
        _Pairs.__init__(self, root, image_set, transform, target_transform)
        self.transforms = transforms


class VOCDetection(VOCSegmentation):
    """With boxes."""
    _train, _test = 5717, 5823

    def _answer(self, c, h, w):
        box = {"name": "person", "difficult": "0", "truncated": "0",
               "bndbox": {"xmin": "1", "ymin": "1", "xmax": str(w - 1), "ymax": str(h - 1)}}
        return {"annotation": {"object": [box], "filename": "100000.jpg",
                               "size": {"width": str(w), "height": str(h), "depth": "3"}}}


class SBDataset(VOCSegmentation):
    _train, _test = 8498, 2857

    def __init__(self, root=None, image_set="train", mode="boundaries", download=False,
                 transforms=None):
        VOCSegmentation.__init__(self, root, "2012", image_set, download, None, None, transforms)


class Cityscapes(_Pairs):
    _train, _test, _picture, _classes = 2975, 500, (3, 1024, 2048), 30

    def __init__(self, root=None, split="train", mode="fine", target_type="instance",
                 transform=None, target_transform=None, transforms=None):
        _Pairs.__init__(self, root, split, transform, target_transform)
        self.transforms = transforms


class CocoDetection(_Pairs):
    """With lists of boxes and masks."""
    _train, _test, _picture, _classes = 118287, 5000, (3, 480, 640), 91

    def __init__(self, root=None, annFile=None, transform=None, target_transform=None,
                 transforms=None):
        _Pairs.__init__(self, root, "val" if "val" in str(annFile) else "train", transform,
                        target_transform)
        self.transforms, self.coco = transforms, _tilewise.unknown("the annotations of COCO")
        self.ids = range(len(self))

    def _answer(self, c, h, w):
        return [{"bbox": [1.0, 1.0, w / 2.0, h / 2.0], "category_id": 1, "area": w * h / 4.0,
                 "iscrowd": 0, "image_id": 1, "id": 1, "segmentation": [[1.0] * 8]}]


class CocoCaptions(CocoDetection):
    """With five sentences."""

    def _answer(self, c, h, w):
        return ["a picture of a thing"] * 5


class DatasetFolder(VisionDataset):
    """A folder of pictures. One whose name says ImageNet is that."""
    _item_calls = ("PIL.decode_jpeg",)

    def __init__(self, root=None, transform=None, target_transform=None, loader=None,
                 is_valid_file=None, allow_empty=False, **options):
        VisionDataset.__init__(self, root, None, transform, target_transform)
        self._train, self._test = 1281167, 50000
        self._picture = (3, 375, 500)
        self.train = not (isinstance(root, str) and root.rstrip("/").endswith(("val", "test")))
        _tilewise.note("the folder of pictures is taken to be ImageNet: 1281167 pictures, "
                       "1000 classes")
        self.loader = default_loader if loader is None else loader

    @property
    def samples(self):
        return self.__dict__.get("_samples") or [("", 0)] * 16

    @samples.setter
    def samples(self, value):
        self.__dict__["_samples"] = value

    imgs = samples


class ImageFolder(DatasetFolder):
    pass


class FakeData(VisionDataset):
    def __init__(self, size=1000, image_size=(3, 224, 224), num_classes=10, transform=None,
                 target_transform=None, random_offset=0):
        VisionDataset.__init__(self, None, None, transform, target_transform)
        self._train, self._picture, self._classes = size, tuple(image_size), num_classes
        self.num_classes = num_classes


def default_loader(path):
    return Picture(3, 375, 500)


pil_loader = default_loader
default_loader._item_calls = ("PIL.decode_jpeg",)
from . import folder
