"""Tokenizer of Keras 2. Texts that the program holds itself are counted, others are not known."""

import _tilewise
import numpy
from keras.datasets._arrays import Texts
from keras.utils._sequence import _count

_unk = _tilewise.is_unknown
_FILTERS = '!"#$%&()*+,-./:;<=>?@[\\]^_`{|}~\t\n'


def text_to_word_sequence(input_text, filters=_FILTERS, lower=True, split=" "):
    if _unk(input_text):
        return _tilewise.unknown("the words of a text")
    text = input_text.lower() if lower else input_text
    for c in filters:
        if c in text:
            text = text.replace(c, split)
    return [w for w in text.split(split) if w]


def one_hot(input_text, n, filters=_FILTERS, lower=True, split=" ", **kwargs):
    words = text_to_word_sequence(input_text, filters, lower, split)
    return words if _unk(words) else [1 + hash(w) % (n - 1) for w in words]


hashing_trick = one_hot


def _held(texts):
    """The texts, when the program holds them itself and they are few."""
    if _unk(texts) or not isinstance(texts, (list, tuple)) or len(texts) > 500:
        return None
    for t in texts:
        if _unk(t) or not isinstance(t, (str, list)):
            return None
    return texts


class Tokenizer:
    def __init__(self, num_words=None, filters=_FILTERS, lower=True, split=" ",
                 char_level=False, oov_token=None, analyzer=None, **kwargs):
        self.num_words, self.filters, self.lower, self.split = num_words, filters, lower, split
        self.char_level, self.oov_token = char_level, oov_token
        self.word_index, self.index_word = {}, {}
        self.word_counts, self.document_count = {}, 0

    def _words(self, text):
        if isinstance(text, list):
            return text
        if self.char_level:
            return list(text.lower() if self.lower else text)
        return text_to_word_sequence(text, self.filters, self.lower, self.split)

    def _unread(self):
        self.word_index = _tilewise.unknown("the words of texts that are not read")
        self.index_word = self.word_counts = self.document_count = self.word_index

    def fit_on_texts(self, texts):
        texts = _held(texts)
        if texts is None or _unk(self.word_index):
            self._unread()
            return
        for text in texts:
            for w in self._words(text):
                self.word_counts[w] = self.word_counts.get(w, 0) + 1
        self.document_count += len(texts)
        words = sorted(self.word_counts, key=lambda w: -self.word_counts[w])
        if self.oov_token is not None:
            words.insert(0, self.oov_token)
        self.word_index = {w: i + 1 for i, w in enumerate(words)}
        self.index_word = {i + 1: w for i, w in enumerate(words)}

    def fit_on_sequences(self, sequences):
        pass

    def texts_to_sequences(self, texts):
        held = _held(texts)
        if held is None or _unk(self.word_index):
            n = _count(texts)
            return Texts(n if n is not None else _tilewise.open_dim(), "the words of a text")
        unknown = self.word_index.get(self.oov_token)
        result = []
        for text in held:
            row = []
            for w in self._words(text):
                i = self.word_index.get(w)
                if i is None or self.num_words and i >= self.num_words:
                    i = unknown
                if i is not None:
                    row.append(i)
            result.append(row)
        return result

    def texts_to_sequences_generator(self, texts):
        yield from self.texts_to_sequences(texts)

    def _table(self, rows):
        n = _count(rows)
        words = self.num_words
        if words is None:
            words = len(self.word_index) + 1 if not _unk(self.word_index) else self.word_index
        if _unk(words):
            return words
        return numpy.ndarray([n if n is not None else _tilewise.open_dim(), words], "float64")

    def texts_to_matrix(self, texts, mode="binary"):
        return self._table(texts)

    def sequences_to_matrix(self, sequences, mode="binary"):
        return self._table(sequences)

    def sequences_to_texts(self, sequences):
        return _tilewise.unknown("texts of sequences")

    def get_config(self):
        return {"num_words": self.num_words, "filters": self.filters, "lower": self.lower,
                "split": self.split, "char_level": self.char_level, "oov_token": self.oov_token}

    def to_json(self, **kwargs):
        return _tilewise.unknown("a tokenizer's text")


def tokenizer_from_json(text):
    made = Tokenizer()
    made._unread()
    return made
