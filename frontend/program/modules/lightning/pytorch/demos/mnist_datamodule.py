"""MNIST as a data module."""

from torch.utils.data import DataLoader, random_split
from torchvision import transforms
from torchvision.datasets import MNIST
from .._module import LightningDataModule


class MNISTDataModule(LightningDataModule):
    name = "mnist"

    def __init__(self, data_dir="data", val_split=5000, num_workers=16, normalize=False, seed=42,
                 batch_size=32, *args, **kwargs):
        LightningDataModule.__init__(self)
        self.data_dir, self.val_split, self.batch_size = data_dir, val_split, batch_size

    @property
    def num_classes(self):
        return 10

    def _loader(self, train):
        data = MNIST(self.data_dir, train=train, transform=transforms.ToTensor())
        if train:
            data, _ = random_split(data, [60000 - self.val_split, self.val_split])
        return DataLoader(data, batch_size=self.batch_size, drop_last=True)

    def train_dataloader(self):
        return self._loader(True)

    def val_dataloader(self):
        return self._loader(False)

    test_dataloader = val_dataloader
