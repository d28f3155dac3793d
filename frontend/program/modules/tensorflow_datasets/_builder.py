"""Builders of data sets, public ones and those that a program defines."""

import dataclasses
import re
import _tilewise
from tensorflow.data import _element
from tensorflow.data._count import number
from tensorflow.data._dataset import Dataset
from tensorflow.data._element import Leaf, is_leaf, mapped
from tensorflow_datasets import _catalog, decode as _decode
from tensorflow_datasets._info import DatasetInfo

_unk = _tilewise.is_unknown
DEFAULT_FOLDER = "~/tensorflow_datasets"
own = {}  # builders that the program defines, by name


class DatasetBuilder:
    """`info._features` is None where nothing is known of the data set."""
    VERSION = "1.0.0"
    BUILDER_CONFIGS = []
    builder_config = None
    name = ""

    def __init_subclass__(cls, **options):
        cls.name = re.sub("([a-z0-9])([A-Z])", "\\1_\\2", cls.__name__).lower()
        own[cls.name] = cls

    def __init__(self, *, data_dir=None, config=None, version=None, **options):
        self.data_dir = self._data_dir_root = data_dir or DEFAULT_FOLDER
        self.version = version or self.VERSION
        self._made = None
        for choice in self.BUILDER_CONFIGS:
            if config in (None, choice, getattr(choice, "name", None)):
                self.builder_config = choice
                break

    @property
    def info(self):
        if self._made is None:
            self._made = self._info()
        return self._made

    def _info(self):
        return DatasetInfo(builder=self)

    def create_dataset_info(self, description=None, features=None, **options):
        return DatasetInfo(builder=self, features=features, **options)

    dataset_info_from_configs = create_dataset_info

    def download_and_prepare(self, **options):
        return None

    def is_prepared(self):
        return True

    def _leaves(self, supervised, decoders, config):
        """An example, the same in its file, and what decodes it."""
        info = self.info
        if info._features is None:
            return _undecoded(_catalog.unknown(self.name))
        leaves = info.features.leaves() if decoders is None else \
            _decode.decoded(info.features, decoders)
        stored, calls = _decode.stored(info.features, decoders)
        if supervised:
            keys = info.supervised_keys
            if keys is None:
                return _undecoded(_tilewise.unknown("the supervised form of '" + self.name + "'"))
            return [tuple([_picked(part, k) for k in keys]) for part in (leaves, stored)] + [calls]
        if getattr(config, "add_tfds_id", False) and isinstance(leaves, dict):
            from tensorflow import _dtypes
            leaves["tfds_id"] = stored["tfds_id"] = Leaf((), _dtypes.string)
        return [leaves, stored, calls]

    def as_dataset(self, split=None, *, batch_size=None, shuffle_files=False, decoders=None,
                   read_config=None, as_supervised=False):
        leaves = self._leaves(as_supervised is True, decoders, read_config)
        if split is None:
            names = list(self.info.splits) or ["train", "test"]
            made = {n: self._split(n, leaves, batch_size, shuffle_files) for n in names}
            return made if self.info.splits else _Unlisted(
                lambda n: self._split(n, leaves, batch_size, shuffle_files), made)
        return self._splits(split, leaves, batch_size, shuffle_files)

    def _splits(self, split, leaves, batch_size, shuffled):
        if isinstance(split, dict):
            return {k: self._splits(v, leaves, batch_size, shuffled) for k, v in split.items()}
        if isinstance(split, (list, tuple)):
            return type(split)([self._splits(s, leaves, batch_size, shuffled) for s in split])
        return self._split(split, leaves, batch_size, shuffled)

    def _split(self, split, leaves, batch_size, shuffled):
        count = None if _unk(split) else self.info.examples(split)
        items = self._of_all_hosts(split, count)
        size = number(batch_size)
        leaves, stored, calls = leaves
        if size == -1:
            return _element.feed(mapped(lambda leaf: _whole(leaf, count), leaves))
        made = Dataset._made(stored, count, items, "named_dataset", "tfds.load", dataset=self.name,
                             split=split if isinstance(split, str) else str(split),
                             shuffle_files=shuffled, paths=self.data_dir,
                             pixels=_decode.pixel_bytes(self.info._features))
        if calls:
            made = made._then("map", "map", leaves, count, items,
                              function=("decode_example",) + calls, num_parallel_calls=-1,
                              deterministic=None)
        return made if batch_size is None else made.batch(batch_size)

    def _of_all_hosts(self, split, count):
        """A host's part of a split, however it was cut, stands for the whole of it."""
        hosts = _tilewise.hosts()
        if hosts == 1 or not isinstance(count, int):
            return count
        whole = self.info.examples(str(split).partition("[")[0])
        if not isinstance(whole, int) or not whole // hosts <= count <= -(-whole // hosts):
            return count
        _tilewise.record("host_share")
        return whole

    def as_data_source(self, split=None, *, decoders=None, deserialize_method=None):
        leaves, _, _ = self._leaves(False, decoders, None)
        def source(part):
            return DataSource(leaves, self.info.examples(part), self.info)
        if split is None:
            return {n: source(n) for n in self.info.splits}
        return [source(s) for s in split] if isinstance(split, (list, tuple)) else source(split)

    def get_reference(self):
        return self.name


def _undecoded(leaves):
    return [leaves, leaves, ()]


class _Unlisted(dict):
    """The splits of a data set of which no list is known: it has those that are asked for."""

    def __init__(self, make, made):
        super().__init__(made)
        self._make = make

    def __missing__(self, name):
        self[name] = self._make(name)
        return self[name]


class GeneratorBasedBuilder(DatasetBuilder):
    pass


class BeamBasedBuilder(DatasetBuilder):
    pass


@dataclasses.dataclass(eq=False)
class BuilderConfig:
    name: str
    version: object = None
    release_notes: dict = None
    supported_versions: list = dataclasses.field(default_factory=list)
    description: str = None
    tags: list = dataclasses.field(default_factory=list)


class Public(DatasetBuilder):
    """Of the catalog."""

    def __init__(self, name, config=None, data_dir=None):
        super().__init__(data_dir=data_dir)
        self.name = name if isinstance(name, str) else "?"
        config = getattr(config, "name", config)
        self._row = _catalog.find(name, config) if isinstance(name, str) else None
        if self._row is not None:
            self.builder_config = BuilderConfig(name=self._row.config or "default")

    def _info(self):
        row = self._row
        if row is None:
            return DatasetInfo(builder=self, name=self.name)
        return DatasetInfo(builder=self, name=self.name, features=row.features,
                           supervised_keys=row.supervised, examples=row.splits)


class DataSource:
    """Examples by their number, as arrays."""

    def __init__(self, leaves, count, info=None):
        self._leaves, self._count = leaves, count
        self.dataset_info = info

    def __len__(self):
        if self._count is None:
            return _tilewise.unknown("how many examples the data set has")
        return self._count

    def __getitem__(self, index):
        return _element.fed_numpy(self._leaves)

    def __iter__(self):
        return iter([self[0]])


def _picked(leaves, key):
    if isinstance(key, tuple):
        return {k: leaves[k] for k in key}
    if isinstance(key, dict):
        return {k: leaves[k] for k in key}
    at = leaves
    for part in [key] if key in leaves else key.split("/"):
        at = at[part]
    return at


def _whole(leaf, count):
    if not is_leaf(leaf) or leaf.shape is None:
        return leaf
    if count is None:
        return _tilewise.unknown("all examples of a data set whose number is not known")
    return leaf.at((count,) + leaf.shape, leaf.batch)


def make(name, config=None, data_dir=None):
    """The builder of "name/config:version"."""
    if not isinstance(name, str):
        return Public(name)
    text = name.partition(":")[0]
    if text in own:
        return own[text](config=config, data_dir=data_dir)
    base, _, inner = text.partition("/")
    if base in own:
        return own[base](config=inner or config, data_dir=data_dir)
    return Public(base, inner or config, data_dir)
