"""tf.strings: texts are known, or only how many there are."""

import _tilewise
from tensorflow import _dtypes
from tensorflow._ragged import RaggedTensor
from tensorflow._strings import TextTensor, outside, text_tensor, texts_of
from tensorflow._tensor import Tensor, handle, number_of, tensor, wrap


def _sizes(x):
    if isinstance(x, TextTensor):
        return list(x._sizes)
    if isinstance(x, (str, bytes)) or _tilewise.is_unknown(x):
        return []
    if isinstance(x, (list, tuple)):
        return [len(x)]
    return list(_tilewise.shape(handle(x)))


def _each(function):
    """Of one text, where it is known."""
    def wrapper(input, *args, **kwargs):
        if hasattr(input, "with_values"):
            return input.with_values(wrapper(input.values, *args, **kwargs))
        kwargs.pop("name", None)
        text = texts_of(input)
        if isinstance(text, str):
            return text_tensor(function(text, *args, **kwargs))
        return TextTensor(_sizes(input))
    wrapper.__name__ = function.__name__
    return wrapper


@_each
def lower(text, encoding=""):
    return text.lower()


@_each
def upper(text, encoding=""):
    return text.upper()


@_each
def strip(text):
    return text.strip()


@_each
def regex_replace(text, pattern, rewrite, replace_global=True):
    import re
    return re.sub(pattern, rewrite, text)


@_each
def substr(text, pos=0, len=1, unit="BYTE"):
    return text[pos:pos + len]


def join(inputs, separator="", name=None):
    known = [texts_of(x) for x in inputs]
    if all([isinstance(k, str) for k in known]):
        return text_tensor(separator.join(known))
    sizes = []
    for x in inputs:
        sizes = _sizes(x) or sizes
    return TextTensor(sizes)


def format(template, inputs, placeholder="{}", summarize=3, name=None):
    return TextTensor()


def as_string(input, *args, **kwargs):
    n = number_of(input) if isinstance(input, Tensor) else None
    return text_tensor(str(n)) if n is not None else TextTensor(_sizes(input))


def reduce_join(inputs, axis=None, keepdims=False, separator="", name=None, **old):
    sizes = _sizes(inputs)
    if axis is None:
        return TextTensor()
    del sizes[axis]
    return TextTensor(sizes)


def length(input, unit="BYTE", name=None):
    text = texts_of(input)
    if isinstance(text, str):
        return tensor(len(text))
    return outside(_sizes(input), _dtypes.int32, "lengths of texts")


def split(input=None, sep=None, maxsplit=-1, name=None, result_type="RaggedTensor", source=None):
    text = texts_of(input)
    if isinstance(text, str):
        return text_tensor(text.split(sep))
    sizes = _sizes(input)
    if not sizes:
        return TextTensor([_tilewise.open_dim()])
    return RaggedTensor(sizes, _tilewise.open_dim(), [], _dtypes.string)


bytes_split = split


def unicode_split(input, input_encoding="UTF-8", *args, **kwargs):
    text = texts_of(input)
    return text_tensor(list(text)) if isinstance(text, str) and text else split(input)


def string_split(source, delimiter=" ", skip_empty=True):
    return RaggedTensor(_sizes(source), _tilewise.open_dim(), [], _dtypes.string)


def unicode_decode(input, input_encoding="UTF-8", *args, **kwargs):
    sizes = _sizes(input)
    if not sizes:
        return outside([None], _dtypes.int32, "characters")
    return RaggedTensor(sizes, _tilewise.open_dim(), [], _dtypes.int32)


def unicode_encode(input, output_encoding="UTF-8", *args, **kwargs):
    return TextTensor(_sizes(input)[:-1])


def unicode_transcode(input, *args, **kwargs):
    return TextTensor(_sizes(input))


def ngrams(data, ngram_width, *args, **kwargs):
    return data


def to_number(input, out_type=_dtypes.float32, name=None):
    if hasattr(input, "with_values"):
        return input.with_values(to_number(input.values, out_type))
    text = texts_of(input)
    d = _dtypes.as_dtype(out_type)
    if isinstance(text, str):
        return tensor(float(text) if d.is_floating else int(text), d)
    return outside(_sizes(input), d, "numbers of texts")


string_to_number = to_number


def regex_full_match(input, pattern, name=None):
    text = texts_of(input)
    if isinstance(text, str):
        import re
        return tensor(re.fullmatch(pattern, text) is not None)
    return outside(_sizes(input), _dtypes.bool_, "matches of texts")


def to_hash_bucket_fast(input, num_buckets, name=None):
    if hasattr(input, "with_values"):
        return input.with_values(to_hash_bucket_fast(input.values, num_buckets))
    return outside(_sizes(input), _dtypes.int64, "buckets of texts")


to_hash_bucket = to_hash_bucket_strong = string_to_hash_bucket_fast = to_hash_bucket_fast


def fingerprint(data, method="farmhash64", name=None):
    return outside(_sizes(data)[:1] + [8], _dtypes.uint8, "fingerprints")
