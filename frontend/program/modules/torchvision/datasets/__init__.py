"""torchvision.datasets: how many pictures of which size; no file is read."""

import _tilewise
from PIL.Image import Image as Picture
from torch.utils.data import Dataset


class VisionDataset(Dataset):
    _train, _test, _picture, _classes = None, None, (3, 256, 256), 1000

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

    @property
    def targets(self):
        return [0] * len(self)

    def __len__(self):
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
        from torch import zeros, uint8
        c, h, w = self._picture
        return zeros([len(self), h, w] + ([c] if c > 1 else []), dtype=uint8)


def _known(name, train, test, picture, classes):
    class Kind(_Known):
        _train, _test, _picture, _classes = train, test, picture, classes
    Kind.__name__ = Kind.__qualname__ = name
    return Kind


MNIST = _known("MNIST", 60000, 10000, (1, 28, 28), 10)
FashionMNIST = _known("FashionMNIST", 60000, 10000, (1, 28, 28), 10)
KMNIST = _known("KMNIST", 60000, 10000, (1, 28, 28), 10)
QMNIST = _known("QMNIST", 60000, 60000, (1, 28, 28), 10)
CIFAR10 = _known("CIFAR10", 50000, 10000, (3, 32, 32), 10)
CIFAR100 = _known("CIFAR100", 50000, 10000, (3, 32, 32), 100)


class _Split(_Known):
    """Their second argument is the name of the part."""

    def __init__(self, root=None, split="train", transform=None, target_transform=None,
                 download=False, **options):
        _Known.__init__(self, root, split in ("train", "trainval", "unlabeled"), transform,
                        target_transform)
        self.split = split


def _split(name, train, test, picture, classes):
    class Kind(_Split):
        _train, _test, _picture, _classes = train, test, picture, classes
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


class DatasetFolder(VisionDataset):
    """A folder of pictures. One whose name says ImageNet is that."""

    def __init__(self, root=None, transform=None, target_transform=None, loader=None,
                 is_valid_file=None, allow_empty=False, **options):
        VisionDataset.__init__(self, root, None, transform, target_transform)
        self._train, self._test = 1281167, 50000
        self._picture = (3, 375, 500)
        self.train = not (isinstance(root, str) and root.rstrip("/").endswith(("val", "test")))
        _tilewise.note("the folder of pictures is taken to be ImageNet: 1281167 pictures, "
                       "1000 classes")
        self.loader = loader

    @property
    def samples(self):
        return [("", 0)] * 16

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
from . import folder
