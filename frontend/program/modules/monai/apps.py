"""Published data sets, with the number of their training images."""

from _tilewise_nothing import module
from .data import Dataset

_other = module("monai.apps")
_SIZES = {"Task01_BrainTumour": 388, "Task02_Heart": 16, "Task04_Hippocampus": 208,
          "Task09_Spleen": 33, "Task06_Lung": 51, "Task03_Liver": 105, "Task07_Pancreas": 225}


class DecathlonDataset(Dataset):
    def __init__(self, root_dir=None, task="", section="training", transform=(), **kwargs):
        super().__init__(range(_SIZES.get(task, 100)), transform)


class MedNISTDataset(Dataset):
    def __init__(self, root_dir=None, section="training", transform=(), **kwargs):
        super().__init__(range(47164), transform)

    def get_num_classes(self):
        return 6


def __getattr__(name):
    return _other(name)
