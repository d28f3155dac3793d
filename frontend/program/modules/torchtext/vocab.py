"""torchtext.vocab: which words there are is in texts that are not here, how many where it is
said."""

import _tilewise
import torch

_WORDS = "how many words the texts have"


class _Numbers(dict):
    """Of the specials by their order; other words have some number."""

    def __missing__(self, word):
        return 0

    def __contains__(self, word):
        return True

    def get(self, word, default=None):
        return self[word]


class Vocab:
    def __init__(self, counter=None, max_size=None, min_freq=1, specials=("<unk>", "<pad>"),
                 vectors=None, unk_init=None, vectors_cache=None, specials_first=True):
        if isinstance(counter, Vocab):
            self.__dict__.update(counter.__dict__)
            return
        self._specials = [s for s in specials if s is not None]
        self._size = None
        if isinstance(counter, dict) and not _tilewise.open_reason(counter):
            self._size = len(counter) + len(self._specials)
        elif isinstance(max_size, int):
            _tilewise.note("the texts are taken to have as many words as are kept")
            self._size = max_size + len(self._specials)
        self.stoi = _Numbers({s: i for i, s in enumerate(self._specials)})
        self.vectors = None
        if vectors is not None:
            self.load_vectors(vectors)

    def __len__(self):
        return _tilewise.unknown(_WORDS) if self._size is None else self._size

    @property
    def itos(self):
        return _Words(self)

    def __getitem__(self, word):
        return self.stoi[word]

    def __contains__(self, word):
        return True

    def __call__(self, words):
        return [self.stoi[w] for w in words]

    forward = lookup_indices = __call__

    def lookup_token(self, index):
        return self.itos[index]

    def lookup_tokens(self, indices):
        return [self.itos[i] for i in indices]

    def get_stoi(self):
        return self.stoi

    def get_itos(self):
        return self.itos

    def set_default_index(self, index):
        pass

    def get_default_index(self):
        return 0

    def insert_token(self, token, index):
        self.append_token(token)

    def append_token(self, token):
        self._specials.append(token)
        self.stoi[token] = len(self._specials) - 1
        self._size = None if self._size is None else self._size + 1

    def load_vectors(self, vectors, **kw):
        self.set_vectors(None, None, _dim_of(vectors))

    def set_vectors(self, stoi, vectors, dim, unk_init=None):
        self.vectors = torch.zeros(_tilewise.size_or(len(self)), dim)


class _Words:
    def __init__(self, vocab):
        self._vocab = vocab

    def __len__(self):
        return len(self._vocab)

    def __getitem__(self, index):
        names = self._vocab._specials
        known = isinstance(index, int) and 0 <= index < len(names)
        return names[index] if known else "word"


def build_vocab_from_iterator(iterator, min_freq=1, specials=None, special_first=True,
                              max_tokens=None):
    specials = list(specials or [])
    most = max_tokens - len(specials) if isinstance(max_tokens, int) else None
    return Vocab(max_size=most, specials=specials)


def vocab(ordered_dict, min_freq=1, specials=None, special_first=True):
    return Vocab(ordered_dict, specials=list(specials or []))


class Vectors:
    def __init__(self, name=None, cache=None, dim=300, **kw):
        self.name, self.dim = name, dim

    def get_vecs_by_tokens(self, tokens, lower_case_backup=False):
        return torch.zeros(self.dim) if isinstance(tokens, str) else \
            torch.zeros(len(tokens), self.dim)

    def __getitem__(self, token):
        return torch.zeros(self.dim)


class GloVe(Vectors):
    def __init__(self, name="840B", dim=300, **kw):
        super().__init__(name, dim=dim)


class FastText(Vectors):
    def __init__(self, language="en", **kw):
        super().__init__(language, dim=300)


class CharNGram(Vectors):
    def __init__(self, **kw):
        super().__init__("charngram", dim=100)


def _dim_of(vectors):
    """Of "glove.6B.100d", a Vectors, or several, which are put side by side."""
    if isinstance(vectors, (list, tuple)):
        return sum([_dim_of(v) for v in vectors])
    if isinstance(vectors, str):
        last = vectors.rsplit(".", 1)[-1]
        return int(last[:-1]) if last[-1:] == "d" and last[:-1].isdigit() else 300
    return vectors.dim
