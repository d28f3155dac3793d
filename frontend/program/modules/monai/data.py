"""Data sets of files: how many there are is known, what they hold is not."""

import _tilewise
from torch.utils import data as _torch
from _tilewise_nothing import module

_other = module("monai.data")


class Dataset(_torch.Dataset):
    def __init__(self, data=None, transform=None, *args, **kwargs):
        self.data, self.transform = data, transform
        self._parts = getattr(transform, "parts", 1)

    def __len__(self):
        return len(self.data)

    def __getitem__(self, index):
        return _tilewise.unknown("what transforms of monai give")


class ImageDataset(Dataset):
    """Files, each with a label or another file."""

    def __init__(self, image_files=None, seg_files=None, labels=None, transform=None, **kwargs):
        super().__init__(image_files, transform)


class ArrayDataset(Dataset):
    def __init__(self, img, img_transform=None, seg=None, seg_transform=None, **kwargs):
        super().__init__(img, img_transform)


CacheDataset = PersistentDataset = SmartCacheDataset = Dataset
LMDBDataset = CacheNTransDataset = GridPatchDataset = PatchDataset = DecathlonDataset = Dataset


class DataLoader(_torch.DataLoader):
    def __init__(self, dataset, batch_size=1, num_workers=0, **kwargs):
        kwargs.pop("collate_fn", None)
        super().__init__(dataset, batch_size, num_workers=num_workers, **kwargs)


ThreadDataLoader = DataLoader


def decollate_batch(batch, *args, **kwargs):
    return _tilewise.unknown("the examples of a batch")


list_data_collate = pad_list_data_collate = decollate_batch


def partition_dataset(data, *args, **kwargs):
    return [data]


def __getattr__(name):
    return _other(name)
