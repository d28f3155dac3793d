"""tfds.core."""

from tensorflow_datasets import decode
from tensorflow_datasets._builder import (BeamBasedBuilder, BuilderConfig, DatasetBuilder,
                                          GeneratorBasedBuilder)
from tensorflow_datasets._info import DatasetInfo, ReadInstruction, SplitDict, SplitInfo

DatasetIdentity = DatasetInfo


class Version:
    def __init__(self, text, **options):
        self.text = str(text)

    def __str__(self):
        return self.text

    def __eq__(self, other):
        return self.text == str(other)


class splits:
    """tfds.core.splits, for the names of its classes."""
    SplitInfo = SubSplitInfo = SplitInfo
    SplitDict = SplitDict


class SplitGenerator:
    def __init__(self, name, gen_kwargs=None, **options):
        self.name, self.gen_kwargs = name, gen_kwargs or {}


def MetadataDict(*args, **kwargs):
    return dict(*args, **kwargs)


def as_path(path):
    import pathlib
    return pathlib.Path(path)


Path = as_path
