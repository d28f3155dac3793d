"""Tokenizers: the size of a vocabulary is known where its preset or the program says it."""

import _tilewise as _t
from keras._layer import Layer
from keras_hub import _packers, _presets

_unk = _t.is_unknown


class Tokenizer(Layer):
    _words = None
    sequence_length = None
    start_token_id = end_token_id = pad_token_id = mask_token_id = 0
    cls_token_id = sep_token_id = unk_token_id = 0
    start_token, end_token, pad_token, mask_token = "<s>", "</s>", "<pad>", "<mask>"

    def __init__(self, vocabulary=None, *args, sequence_length=None, **kwargs):
        Layer.__init__(self)
        self.sequence_length = sequence_length
        if isinstance(vocabulary, (list, tuple, dict)):
            self._words = len(vocabulary)

    @classmethod
    def from_preset(cls, preset, sequence_length=None, **kwargs):
        made = (cls if cls is not Tokenizer else SubwordTokenizer)(sequence_length=sequence_length)
        found = _presets.of(preset)
        made._words = found if _unk(found) else found[1]["vocabulary_size"]
        return made

    def vocabulary_size(self):
        if self._words is None:
            return _t.unknown("the words of a tokenizer, which are in a file")
        return self._words

    def get_vocabulary(self):
        return _t.unknown("the words of a tokenizer")

    def token_to_id(self, token):
        return _t.unknown("the id of a token")

    def id_to_token(self, id):
        return _t.unknown("the text of a token")

    def detokenize(self, inputs):
        return _t.unknown("texts that are data")

    def __call__(self, inputs, *args, **kwargs):
        rows = _packers.rows_of(inputs)
        if self.sequence_length is not None:
            return _packers.filled(rows + [self.sequence_length], "int32")
        if not rows:
            return _packers.filled([None], "int32")
        from tensorflow import _dtypes
        from tensorflow._ragged import RaggedTensor
        sizes = [_t.open_dim() if n is None else n for n in rows]
        return RaggedTensor(sizes, _t.open_dim(), [], _dtypes.as_dtype("int32"))

    tokenize = call = __call__


class SubwordTokenizer(Tokenizer):
    pass


class WordPieceTokenizer(SubwordTokenizer):
    pass


class SentencePieceTokenizer(SubwordTokenizer):
    def __init__(self, proto=None, sequence_length=None, **kwargs):
        Tokenizer.__init__(self, sequence_length=sequence_length)


class BytePairTokenizer(SubwordTokenizer):
    def __init__(self, vocabulary=None, merges=None, sequence_length=None, **kwargs):
        Tokenizer.__init__(self, vocabulary, sequence_length=sequence_length)


class ByteTokenizer(Tokenizer):
    _words = 256


class UnicodeCodepointTokenizer(Tokenizer):
    def __init__(self, sequence_length=None, vocabulary_size=None, **kwargs):
        Tokenizer.__init__(self, sequence_length=sequence_length)
        self._words = vocabulary_size


def _words(size, reserved):
    """As many words as are asked for."""
    known = list(reserved or ())
    if _unk(size):
        return size
    return known + ["word" + str(i) for i in range(len(known), size)]


def compute_word_piece_vocabulary(data, vocabulary_size, vocabulary_output_file=None,
                                  lowercase=False, strip_accents=False, split=True,
                                  split_on_cjk=True, suffix_indicator="##", reserved_tokens=None):
    return _words(vocabulary_size, reserved_tokens or ["[PAD]", "[CLS]", "[SEP]", "[UNK]"])


def compute_sentence_piece_proto(data, vocabulary_size, **options):
    return _t.unknown("what sentencepiece trains")
