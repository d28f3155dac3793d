"""tfds.deprecated: encoders of text, as tfds.features.text had them."""

import _tilewise
from tensorflow_datasets.features import Encoder


class SubwordTextEncoder(Encoder):
    def __init__(self, vocab_list=None):
        super().__init__(len(vocab_list) + 257 if vocab_list is not None else
                         _tilewise.unknown("how many subwords an encoder has"))

    @classmethod
    def build_from_corpus(cls, corpus_generator, target_vocab_size, **options):
        made = cls()
        _tilewise.note("an encoder's vocabulary is taken to be as large as it is asked to be")
        made.vocab_size = target_vocab_size
        return made

    @classmethod
    def load_from_file(cls, filename_prefix):
        return cls()


class TokenTextEncoder(Encoder):
    def __init__(self, vocab_list, oov_buckets=1, **options):
        size = _tilewise.unknown("how many words an encoder has") \
            if _tilewise.is_unknown(vocab_list) else len(vocab_list) + oov_buckets + 1
        super().__init__(size)


class ByteTextEncoder(Encoder):
    def __init__(self, additional_tokens=None):
        super().__init__(257 + len(additional_tokens or []))


class Tokenizer:
    def __init__(self, *args, **options):
        pass

    def tokenize(self, text):
        return _tilewise.unknown("the words of a text")


class text:
    """Both modules' names."""
    SubwordTextEncoder, TokenTextEncoder = SubwordTextEncoder, TokenTextEncoder
    ByteTextEncoder, Tokenizer, TextEncoder = ByteTextEncoder, Tokenizer, Encoder
