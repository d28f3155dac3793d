"""tfds.features: what a data set's examples are made of."""

import _tilewise
from tensorflow import _dtypes
from tensorflow.data._element import Leaf, add_dim

_unk = _tilewise.is_unknown


class TensorInfo:
    def __init__(self, shape, dtype):
        self.shape, self.dtype = shape, dtype


class FeatureConnector:
    """`leaves()` is the structure of an example's part."""
    shape = ()
    dtype = _dtypes.string
    _stored = False  # as a file's bytes, which decoding makes the tensor of

    def leaves(self):
        return Leaf(self.shape, self.dtype)

    def get_tensor_info(self):
        return TensorInfo(self.shape, self.dtype)

    def get_tensor_spec(self):
        from tensorflow import TensorSpec
        return TensorSpec(self.shape, self.dtype)

    def encode_example(self, example):
        return example

    def decode_example(self, example, decoders=None):
        from tensorflow.data._element import stand_ins
        from tensorflow_datasets.decode import decoded
        return stand_ins(decoded(self, decoders))

    def __repr__(self):
        return type(self).__name__ + "(shape=" + str(self.shape) + ")"


class Tensor(FeatureConnector):
    def __init__(self, *, shape, dtype, encoding=None, doc=None):
        self.shape, self.dtype = tuple(shape), _dtypes.as_dtype(dtype)


class Scalar(Tensor):
    def __init__(self, dtype, encoding=None, doc=None):
        self.shape, self.dtype = (), _dtypes.as_dtype(dtype)


class Image(FeatureConnector):
    _stored = True
    _decoding = "tensorflow.image.decode_image"

    def __init__(self, *, shape=None, dtype=None, encoding_format=None, use_colormap=False,
                 doc=None):
        self.shape = (None, None, 3) if shape is None else tuple(shape)
        self.dtype = _dtypes.uint8 if dtype is None else _dtypes.as_dtype(dtype)
        if encoding_format == "png":
            self._decoding = "tensorflow.image.decode_png"


class LabeledImage(Image):
    def __init__(self, *, labels, shape=None, dtype=None, encoding_format=None, doc=None):
        super().__init__(shape=shape, dtype=dtype, encoding_format=encoding_format)
        self.num_classes = labels if isinstance(labels, int) else len(labels)


class Video(FeatureConnector):
    _stored = True
    _decoding = "tensorflow_datasets.features.Video"
    dtype = _dtypes.uint8

    def __init__(self, shape, encoding_format="png", ffmpeg_extra_args=(), doc=None):
        self.shape = tuple(shape)


class Audio(FeatureConnector):
    def __init__(self, *, file_format=None, shape=(None,), dtype="int64", sample_rate=None,
                 encoding=None, doc=None):
        self.shape, self.dtype = tuple(shape), _dtypes.as_dtype(dtype)
        self.sample_rate = sample_rate


class BBoxFeature(FeatureConnector):
    shape, dtype = (4,), _dtypes.float32

    def __init__(self, *args, **kwargs):
        pass


class ClassLabel(FeatureConnector):
    dtype = _dtypes.int64

    def __init__(self, *, num_classes=None, names=None, names_file=None, doc=None):
        self._names = list(names) if names is not None and not _unk(names) else None
        if num_classes is None and names is not None:
            num_classes = len(names)
        self._classes = num_classes

    @property
    def num_classes(self):
        if self._classes is None:
            return _tilewise.unknown("how many classes a feature of the data set has")
        return self._classes

    @property
    def names(self):
        """Names that are not known are numbers, so that there are as many."""
        if self._names is None:
            if self._classes is None:
                return self.num_classes
            self._names = [str(i) for i in range(self._classes)]
        return self._names

    @names.setter
    def names(self, values):
        self._names, self._classes = list(values), len(values)

    def int2str(self, number):
        return self.names[number] if isinstance(number, int) else \
            _tilewise.unknown("the name of a class")

    def str2int(self, name):
        return self._names.index(name) if self._names and name in self._names else \
            _tilewise.unknown("the number of a class")


class Encoder:
    def __init__(self, vocab_size):
        self.vocab_size = vocab_size
        self.subwords = []

    def encode(self, text):
        return _tilewise.unknown("the ids of a text")

    def decode(self, ids):
        return "text"

    def save_to_file(self, filename):
        pass


class Text(FeatureConnector):
    def __init__(self, encoder=None, encoder_config=None, vocab_size=None, doc=None):
        self.encoder = encoder if vocab_size is None else Encoder(vocab_size)
        if self.encoder is not None:
            self.shape, self.dtype = (None,), _dtypes.int64

    @property
    def vocab_size(self):
        return None if self.encoder is None else self.encoder.vocab_size


class Sequence(FeatureConnector):
    def __init__(self, feature, length=None, doc=None, **options):
        self.feature, self.length = of(feature), length

    @property
    def shape(self):
        return (self.length,) + tuple(self.feature.shape) \
            if isinstance(self.feature.shape, tuple) else self.feature.shape

    @property
    def dtype(self):
        return self.feature.dtype

    @property
    def num_classes(self):
        return self.feature.num_classes

    @property
    def names(self):
        return self.feature.names

    def leaves(self):
        return add_dim(self.feature.leaves(), self.length, 0)

    def __getitem__(self, key):
        return self.feature[key]


class FeaturesDict(FeatureConnector):
    def __init__(self, feature_dict, doc=None):
        self._features = {k: of(v) for k, v in feature_dict.items()}

    @property
    def shape(self):
        return {k: v.shape for k, v in self._features.items()}

    @property
    def dtype(self):
        return {k: v.dtype for k, v in self._features.items()}

    def leaves(self):
        return {k: v.leaves() for k, v in self._features.items()}

    def __getitem__(self, key):
        if key not in self._features:
            raise KeyError(key)
        return self._features[key]

    def __contains__(self, key):
        return key in self._features

    def __len__(self):
        return len(self._features)

    def __iter__(self):
        return iter(list(self._features))

    def keys(self):
        return self._features.keys()

    def values(self):
        return self._features.values()

    def items(self):
        return self._features.items()

    def get(self, key, otherwise=None):
        return self._features.get(key, otherwise)


class Translation(FeaturesDict):
    def __init__(self, languages, encoder=None, doc=None):
        super().__init__({name: Text() for name in languages})
        self.languages = languages


class Dataset(Sequence):
    pass


def of(feature):
    """A feature of what may stand for one: a type of elements, a dictionary."""
    if isinstance(feature, FeatureConnector):
        return feature
    if isinstance(feature, dict):
        return FeaturesDict(feature)
    return Scalar(feature)
