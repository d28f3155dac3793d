"""TensorFlow Text: ids of texts are ragged data."""

import _tilewise

__version__ = "2.16.1"
_unk = _tilewise.is_unknown


def _shape(x):
    shape = getattr(x, "shape", ())
    return [] if isinstance(x, (str, bytes)) or _unk(shape) else list(shape)


def _ids(x, dtype, levels=1):
    """As many rows as texts; of one text, its tokens."""
    from tensorflow._strings import outside
    sizes = _shape(x)
    if not sizes:
        return outside([None], dtype, "tokens")
    from tensorflow._ragged import RaggedTensor
    from tensorflow import _dtypes
    rows = [_tilewise.open_dim() if n is None else n for n in sizes]
    return RaggedTensor(rows, _tilewise.open_dim(), [], _dtypes.as_dtype(dtype))


def _texts(x):
    from tensorflow._strings import outside
    return outside(_shape(x)[:-1], "string", "texts")


class Tokenizer:
    _out = "string"

    def __init__(self, *args, out_type=None, token_out_type=None, **options):
        self._out = token_out_type or out_type or self._out

    def tokenize(self, input):
        return _ids(input, self._out)

    split = tokenize

    def tokenize_with_offsets(self, input):
        return self.tokenize(input), _ids(input, "int64"), _ids(input, "int64")

    def detokenize(self, input):
        return _texts(input)


TokenizerWithOffsets = Splitter = Detokenizer = Tokenizer


class WhitespaceTokenizer(Tokenizer):
    pass


class UnicodeScriptTokenizer(Tokenizer):
    pass


class RegexSplitter(Tokenizer):
    pass


class UnicodeCharTokenizer(Tokenizer):
    _out = "int32"


class ByteSplitter(Tokenizer):
    _out = "uint8"


class _Subwords(Tokenizer):
    """Of a vocabulary that is a file's."""
    _out = "int32"
    _size = None

    def vocab_size(self, name=None):
        if self._size is None:
            from sentencepiece import vocabulary
            return vocabulary()
        return self._size

    def id_to_string(self, input, name=None):
        return _texts(input)

    def string_to_id(self, input, name=None):
        return _tilewise.unknown("the id of a token")

    def get_vocab_size(self):
        return self.vocab_size()


class SentencepieceTokenizer(_Subwords):
    def __init__(self, model=None, out_type="int32", nbest_size=0, alpha=1.0, reverse=False,
                 add_bos=False, add_eos=False, return_nbest=False, name=None):
        self._out = out_type


class FastSentencepieceTokenizer(SentencepieceTokenizer):
    pass


class BertTokenizer(_Subwords):
    """Words, and the pieces of each: one level of rows more."""

    def __init__(self, vocab_lookup_table=None, *args, token_out_type="int64", **options):
        self._out = token_out_type

    def tokenize(self, input):
        return _ids(input, self._out, 2)


class WordpieceTokenizer(BertTokenizer):
    pass


class FastBertTokenizer(BertTokenizer):
    pass


class FastWordpieceTokenizer(BertTokenizer):
    pass


class HubModuleTokenizer(_Subwords):
    pass


class ShrinkLongestTrimmer:
    def __init__(self, max_seq_length, axis=-1):
        self.max_seq_length = max_seq_length

    def trim(self, segments):
        return segments


RoundRobinTrimmer = WaterfallTrimmer = ShrinkLongestTrimmer


def combine_segments(segments, start_of_sequence_id, end_of_segment_id):
    return segments[0], segments[0]


def pad_model_inputs(input, max_seq_length, pad_value=0):
    """A row of that length and its mask."""
    import tensorflow
    from tensorflow._strings import outside
    length = int(max_seq_length)
    rows = list(input.shape)[:1] if len(input.shape) > 1 else []
    return (outside(rows + [length], input.dtype, "tokens"),
            outside(rows + [length], "int64", "a mask"))


def normalize_utf8(input, normalization_form="NFC", name=None):
    return input


def case_fold_utf8(input, name=None):
    return input


def ngrams(data, width, axis=-1, reduction_type=None, string_separator=" ", name=None):
    return data


sliding_window = ngrams


class Reduction:
    SUM, MEAN, STRING_JOIN = 1, 2, 3


class FirstNItemSelector:
    def __init__(self, num_to_select, *args, **options):
        self.num_to_select = num_to_select


RandomItemSelector = MaskValuesChooser = FirstNItemSelector


def mask_language_model(input_ids, item_selector, mask_values_chooser, axis=1):
    return input_ids, input_ids, input_ids
