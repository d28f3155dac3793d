"""tiktoken: how many tokens an encoding has; which tokens a text becomes is not known."""

import _tilewise

# Source: github.com/openai/tiktoken, tiktoken_ext/openai_public.py: (tokens, the one that ends a
# text).
_SIZES = {"gpt2": (50257, 50256), "r50k_base": (50257, 50256), "p50k_base": (50281, 50256),
          "p50k_edit": (50284, 50256), "cl100k_base": (100277, 100257),
          "o200k_base": (200019, 199999)}
# Source: the same, tiktoken/model.py; the first that the name of a model starts with.
_MODELS = {"gpt2": "gpt2", "gpt-2": "gpt2", "gpt-4o": "o200k_base", "gpt-4.1": "o200k_base",
           "gpt-5": "o200k_base", "o1": "o200k_base", "o3": "o200k_base", "o4": "o200k_base",
           "gpt-4": "cl100k_base", "gpt-3.5": "cl100k_base",
           "text-embedding": "cl100k_base", "text-davinci": "p50k_base", "code-": "p50k_base",
           "davinci": "r50k_base", "curie": "r50k_base", "babbage": "r50k_base",
           "ada": "r50k_base"}


class Encoding:
    def __init__(self, name, *, explicit_n_vocab=None, mergeable_ranks=None, special_tokens=None,
                 **options):
        self.name = name
        known = _SIZES.get(name) if isinstance(name, str) else None
        n = explicit_n_vocab
        if n is None:
            n = known[0] if known else _tilewise.unknown("how many tokens an encoding has")
        self.n_vocab = n
        self.max_token_value = n - 1
        self.eot_token = known[1] if known else n - 1
        self.special_tokens_set = {"<|endoftext|>"}

    def encode(self, text, *, allowed_special=(), disallowed_special="all"):
        return [self.eot_token for _ in _tilewise.unknown("how many tokens a text becomes")]

    encode_ordinary = encode

    def encode_single_token(self, text):
        return self.eot_token

    def encode_ordinary_batch(self, text, *, num_threads=8):
        return [self.encode(one) for one in text]

    def encode_batch(self, text, **options):
        return [self.encode(one) for one in text]

    def decode(self, tokens, errors="replace"):
        return _tilewise.unknown("the text of tokens")

    decode_bytes = decode_single_token_bytes = decode

    def decode_batch(self, batch, **options):
        return [self.decode(one) for one in batch]


def get_encoding(encoding_name):
    return Encoding(encoding_name)


def encoding_name_for_model(model_name):
    for start in _MODELS:
        if model_name.startswith(start):
            return _MODELS[start]
    return _tilewise.unknown("the encoding of " + model_name)


def encoding_for_model(model_name):
    return Encoding(encoding_name_for_model(model_name))


def list_encoding_names():
    return list(_SIZES)
