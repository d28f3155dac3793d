"""tf.io: files are not read; what is decoded has the shape that the program says."""

import _tilewise
import _tilewise_files
from tensorflow import _dtypes
from tensorflow._array import ints
from tensorflow._shape import TensorShape
from tensorflow._sparse import SparseTensor, SparseTensorSpec
from tensorflow._ragged import RaggedTensor
from tensorflow._strings import TextTensor, outside, text_tensor
from tensorflow._tensor import handle, number_of, wrap

_unk = _tilewise.is_unknown


# ---- files


def read_file(filename=None, name=None):
    return TextTensor()


def write_file(filename, contents, name=None):
    return None


def matching_files(pattern, name=None):
    return TextTensor([_tilewise.open_dim()])


def write_graph(*args, **kwargs):
    return ""


class gfile:
    """What is asked of files: they are there and hold what is not known."""

    @staticmethod
    def exists(path):
        return _tilewise.unknown("whether a file is there")

    isdir = exists

    @staticmethod
    def glob(pattern):
        if not isinstance(pattern, str):
            return list(pattern)
        return _tilewise_files.named(pattern) if "*" in pattern else [pattern]

    @staticmethod
    def listdir(path):
        return _tilewise.unknown("what a folder holds")

    walk = stat = listdir

    @staticmethod
    def makedirs(path, *args, **kwargs):
        return None

    mkdir = remove = rmtree = rename = copy = makedirs

    @staticmethod
    def join(path, *paths):
        import os
        return os.path.join(path, *paths)

    def GFile(name, mode="r"):
        import _python
        if mode[:1] == "r" and isinstance(name, str) and _python.awaits("NotFoundError") and \
                _python.read_file(name) is None:
            from tensorflow import errors
            raise errors.NotFoundError(None, None, name + "; No such file or directory")
        return open(name, mode)

    GFile = Open = FastGFile = staticmethod(GFile)


class TFRecordOptions:
    def __init__(self, compression_type=None, **options):
        pass


class TFRecordWriter:
    def __init__(self, path, options=None):
        pass

    def write(self, record):
        pass

    def flush(self):
        pass

    close = flush

    def __enter__(self):
        return self

    def __exit__(self, *error):
        return False


class TFRecordCompressionType:
    NONE, ZLIB, GZIP = 0, 1, 2


# ---- images


def _decoded(contents, channels, dtype=_dtypes.uint8):
    n = number_of(channels) or 3
    sizes = getattr(contents, "_sizes", [])
    return outside(list(sizes) + [None, None, int(n)], dtype, "image")


def decode_jpeg(contents=None, channels=0, *args, **options):
    return _decoded(contents, channels)


decode_bmp = decode_jpeg


def decode_png(contents=None, channels=0, dtype=_dtypes.uint8, name=None):
    return _decoded(contents, channels, dtype)


def decode_image(contents=None, channels=None, dtype=_dtypes.uint8, name=None,
                 expand_animations=True):
    return _decoded(contents, channels or 0, dtype)


def decode_gif(contents, name=None):
    return outside([None, None, None, 3], _dtypes.uint8, "image")


def decode_and_crop_jpeg(contents, crop_window, channels=0, **options):
    return _decoded(contents, channels)


def extract_jpeg_shape(contents, output_type=_dtypes.int32, name=None):
    return outside([3], output_type, "shape of an image")


def is_jpeg(contents, name=None):
    return outside([], _dtypes.bool_, "kind of an image")


def _text(*args, **kwargs):
    return TextTensor()


encode_jpeg = encode_png = encode_base64 = decode_base64 = serialize_tensor = _text
decode_compressed = serialize_sparse = encode_proto = _text


# ---- numbers


def decode_raw(input_bytes=None, out_type=_dtypes.uint8, little_endian=True, fixed_length=None,
               name=None, bytes=None):
    sizes = getattr(input_bytes if bytes is None else bytes, "_sizes", [])
    n = number_of(fixed_length)
    if n is not None:
        n = int(n) // _dtypes.as_dtype(out_type).size
    return outside(list(sizes) + [n], out_type, "decoded bytes")


def parse_tensor(serialized, out_type, name=None):
    return outside(None, out_type, "parsed tensor")


def decode_csv(records, record_defaults, field_delim=",", *args, **options):
    sizes = list(getattr(records, "_sizes", []))
    made = []
    for default in record_defaults:
        if isinstance(default, _dtypes.DType):
            made.append(outside(sizes, default, "column"))
            continue
        while isinstance(default, (list, tuple)):
            default = default[0] if default else 0.0
        from tensorflow._types import convert_to_tensor
        made.append(outside(sizes, convert_to_tensor(default).dtype, "column"))
    return made


def decode_json_example(json_examples, name=None):
    return TextTensor()


# ---- examples


class FixedLenFeature:
    def __init__(self, shape, dtype, default_value=None):
        self.shape, self.dtype, self.default_value = shape, _dtypes.as_dtype(dtype), default_value

    def made(self, batch):
        return outside(batch + list(TensorShape(self.shape)), self.dtype, "feature")


class FixedLenSequenceFeature(FixedLenFeature):
    def __init__(self, shape, dtype, allow_missing=False, default_value=None):
        FixedLenFeature.__init__(self, shape, dtype, default_value)

    def made(self, batch):
        return outside(batch + [None] + list(TensorShape(self.shape)), self.dtype, "feature")


class VarLenFeature:
    def __init__(self, dtype):
        self.dtype = _dtypes.as_dtype(dtype)

    def made(self, batch):
        n = _tilewise.open_dim()
        sizes = [_tilewise.open_dim() if b is None else b for b in batch] + [n]
        count = n * (sizes[0] if len(sizes) > 1 else 1)
        places = outside([count, len(sizes)], _dtypes.int64, "places")
        return SparseTensor(places, outside([count], self.dtype, "feature"), sizes)


class RaggedFeature:
    def __init__(self, dtype, value_key=None, partitions=(), row_splits_dtype=_dtypes.int32,
                 validate=False):
        self.dtype = _dtypes.as_dtype(dtype)

    def made(self, batch):
        if not batch:
            return outside([None], self.dtype, "feature")
        return RaggedTensor(batch, _tilewise.open_dim(), [], self.dtype)


class SparseFeature(VarLenFeature):
    def __init__(self, index_key, value_key, dtype, size, already_sorted=False):
        self.dtype, self.size = _dtypes.as_dtype(dtype), size


def parse_example(serialized=None, features=None, example_names=None, name=None):
    batch = [_tilewise.open_dim() if n is None else n for n in getattr(serialized, "_sizes", [])]
    return {key: f.made(batch) for key, f in features.items()}


def parse_single_example(serialized=None, features=None, example_names=None, name=None):
    return {key: f.made([]) for key, f in features.items()}


parse_single_example_v2 = parse_single_example


def parse_sequence_example(serialized, context_features=None, sequence_features=None,
                           example_names=None, name=None):
    context = {k: f.made([]) for k, f in (context_features or {}).items()}
    lists = {k: f.made([None]) if isinstance(f, FixedLenFeature) and
             not isinstance(f, FixedLenSequenceFeature) else f.made([])
             for k, f in (sequence_features or {}).items()}
    return context, lists


parse_single_sequence_example = parse_sequence_example


def __getattr__(name):
    from tensorflow._public import _older
    return _older("compat.v1.io", name)
