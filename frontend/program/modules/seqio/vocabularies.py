"""Vocabularies of text."""

import _tilewise


class Vocabulary:
    pad_id, eos_id, unk_id = 0, 1, 2

    def __init__(self, extra_ids=0):
        self._extra_ids = self.extra_ids = extra_ids

    @property
    def vocab_size(self):
        n = self._base_vocab_size
        return n if _tilewise.is_unknown(n) else n + self._extra_ids

    @property
    def _base_vocab_size(self):
        return _tilewise.unknown("how many tokens a vocabulary has")

    def encode(self, text):
        return _tilewise.unknown("the ids of a text")

    def decode(self, ids):
        return "text"

    def encode_tf(self, text):
        from tensorflow._strings import outside
        return outside([None], "int32", "tokens")


class SentencePieceVocabulary(Vocabulary):
    """T5's public one has 32000 pieces; others are files."""

    def __init__(self, sentencepiece_model_file, extra_ids=0, **options):
        super().__init__(extra_ids or 0)
        self._file = str(sentencepiece_model_file)
        if "cc_all.32000.100extra" in self._file and not extra_ids:
            self._extra_ids = self.extra_ids = 100

    @property
    def _base_vocab_size(self):
        if "cc_all.32000" in self._file:
            return 32000
        return _tilewise.unknown("how many pieces a vocabulary has")


class ByteVocabulary(Vocabulary):
    @property
    def _base_vocab_size(self):
        return 259


class PassThroughVocabulary(Vocabulary):
    def __init__(self, size, eos_id=None):
        super().__init__()
        self._size = size

    @property
    def _base_vocab_size(self):
        return self._size
