"""What is known about a data set, and parts of its splits."""

import _tilewise
from tensorflow_datasets import _catalog


class ReadInstruction:
    """As text: "train[10%:20%]"."""

    def __init__(self, split_name, rounding=None, from_=None, to=None, unit=None):
        self.split_name, self.from_, self.to = split_name, from_, to
        self.unit = unit if unit is not None else "abs"

    @classmethod
    def from_spec(cls, spec):
        name, bracket, rest = str(spec).partition("[")
        made = cls(name)
        made._rest = bracket + rest
        return made

    def __str__(self):
        if hasattr(self, "_rest"):
            return str(self.split_name) + self._rest
        if self.from_ is None and self.to is None:
            return str(self.split_name)
        mark = "%" if self.unit == "%" else ""
        low = "" if self.from_ is None else str(self.from_) + mark
        high = "" if self.to is None else str(self.to) + mark
        return str(self.split_name) + "[" + low + ":" + high + "]"

    def __add__(self, other):
        made = ReadInstruction(str(self) + "+" + str(other))
        return made

    def to_absolute(self, name2len):
        return [self]


class SplitInfo:
    def __init__(self, name, count):
        self.name, self._count = name, count
        self.num_shards = 1
        self.filenames = []
        self.shard_lengths = [count] if count is not None else []

    @property
    def num_examples(self):
        if self._count is None:
            return _tilewise.unknown("how many examples the split '" + self.name + "' has")
        return self._count

    def get(self, name, otherwise=None):
        return getattr(self, name, otherwise)


class SplitDict:
    def __init__(self, counts):
        self._counts = counts

    def __getitem__(self, name):
        text = str(name)
        return SplitInfo(text, _catalog.examples(self._counts, text))

    def get(self, name, otherwise=None):
        return self[name] if name in self._counts else otherwise

    def __contains__(self, name):
        return str(name).partition("[")[0] in self._counts

    def __iter__(self):
        return iter(list(self._counts))

    def __len__(self):
        return len(self._counts)

    def keys(self):
        return self._counts.keys()

    def values(self):
        return [self[name] for name in self._counts]

    def items(self):
        return [(name, self[name]) for name in self._counts]

    @property
    def total_num_examples(self):
        return SplitInfo("all", _catalog.examples(self._counts, "all")).num_examples


class DatasetInfo:
    def __init__(self, *, builder=None, name=None, features=None, supervised_keys=None,
                 examples=None, description="", homepage="", citation="", metadata=None,
                 disable_shuffling=False, **options):
        if isinstance(features, dict):
            from tensorflow_datasets.features import FeaturesDict
            features = FeaturesDict(features)
        self._features, self.supervised_keys = features, supervised_keys
        self.name = self.full_name = name or getattr(builder, "name", "")
        self._examples = {} if examples is None else examples
        self.splits = SplitDict(self._examples)
        self.description, self.homepage, self.citation = description, homepage, citation
        self.metadata, self.version = metadata, "1.0.0"
        self._builder = builder

    @property
    def features(self):
        return _tilewise.unknown("the features of a data set that is not known") \
            if self._features is None else self._features

    @property
    def config_name(self):
        return getattr(getattr(self._builder, "builder_config", None), "name", None)

    @property
    def dataset_size(self):
        return _tilewise.unknown("the size of a data set's files")

    download_size = dataset_size

    def examples(self, split):
        return _catalog.examples(self._examples, split)

    def as_proto(self):
        return self
