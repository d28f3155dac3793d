"""tf.lookup: what a table gives has the shape of its keys."""

import _tilewise
from tensorflow import _dtypes
from tensorflow._strings import TextTensor, texts_of
from tensorflow._tensor import Tensor, handle, tensor, wrap


def _found(keys, value_dtype):
    if hasattr(keys, "with_values"):
        return keys.with_values(_found(keys.values, value_dtype))
    if not isinstance(keys, Tensor):
        from tensorflow._types import convert_to_tensor
        keys = convert_to_tensor(keys)
    sizes = keys._sizes if isinstance(keys, TextTensor) else list(_tilewise.shape(handle(keys)))
    if value_dtype.kind == "O":
        return TextTensor(sizes)
    return wrap(_tilewise.input(sizes, value_dtype.code, "table", None))


class KeyValueTensorInitializer:
    def __init__(self, keys, values, key_dtype=None, value_dtype=None, name=None):
        self.key_dtype = _dtypes.as_dtype(key_dtype or _dtype_of(keys))
        self.value_dtype = _dtypes.as_dtype(value_dtype or _dtype_of(values))
        self.count = len(keys) if hasattr(keys, "__len__") else None


def _dtype_of(values):
    from tensorflow._types import convert_to_tensor
    return convert_to_tensor(values).dtype


class TextFileIndex:
    WHOLE_LINE, LINE_NUMBER = -2, -1


class TextFileInitializer:
    def __init__(self, filename, key_dtype=_dtypes.string, key_index=-2,
                 value_dtype=_dtypes.int64, value_index=-1, vocab_size=None, **ignored):
        self.key_dtype = _dtypes.as_dtype(key_dtype)
        self.value_dtype = _dtypes.as_dtype(value_dtype)
        self.count = vocab_size


class StaticHashTable:
    def __init__(self, initializer, default_value=None, num_oov_buckets=0, name=None,
                 lookup_key_dtype=None, experimental_is_anonymous=False):
        self._initializer = initializer
        self.key_dtype, self.value_dtype = initializer.key_dtype, initializer.value_dtype

    def lookup(self, keys, name=None):
        return _found(keys, self.value_dtype)

    __getitem__ = lookup

    def size(self, name=None):
        n = self._initializer.count
        return _tilewise.unknown("the size of a table") if n is None else tensor(n, "int64")


class StaticVocabularyTable(StaticHashTable):
    def __init__(self, initializer, num_oov_buckets=0, lookup_key_dtype=None, name=None, **more):
        StaticHashTable.__init__(self, initializer)
        self.value_dtype = _dtypes.int64


class _Growing:
    def __init__(self, key_dtype, value_dtype, default_value=None, *args, **options):
        self.key_dtype = _dtypes.as_dtype(key_dtype)
        self.value_dtype = _dtypes.as_dtype(value_dtype)

    def lookup(self, keys, name=None):
        return _found(keys, self.value_dtype)

    __getitem__ = lookup

    def insert(self, keys, values, name=None):
        pass

    def export(self, name=None):
        return _tilewise.unknown("what a table holds"), _tilewise.unknown("what a table holds")

    def size(self, name=None):
        return _tilewise.unknown("the size of a table")


class experimental:
    MutableHashTable = DenseHashTable = _Growing


def __getattr__(name):
    from tensorflow._public import _older
    return _older("compat.v1.lookup", name)
