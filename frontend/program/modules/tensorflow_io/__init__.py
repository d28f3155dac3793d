"""TensorFlow I/O: readers of formats; what files hold is data of an open size."""

import _tilewise
from tensorflow_io import audio, experimental, image

__version__ = "0.37.0"


class IODataset:
    @staticmethod
    def _unknown(name):
        from tensorflow.data._dataset import Dataset
        leaves = _tilewise.unknown("what tensorflow_io reads")
        return Dataset._made(leaves, None, None, "record_files", "tfio.IODataset." + name)

    @staticmethod
    def from_parquet(filename, columns=None, **options):
        return IODataset._unknown("from_parquet")

    @staticmethod
    def from_hdf5(filename, dataset=None, spec=None, **options):
        return IODataset._unknown("from_hdf5")

    @staticmethod
    def from_kafka(topic, **options):
        return IODataset._unknown("from_kafka")

    @staticmethod
    def from_audio(filename, **options):
        return IODataset._unknown("from_audio")


class IOTensor:
    @staticmethod
    def from_audio(filename, **options):
        return _tilewise.unknown("what tensorflow_io reads")
