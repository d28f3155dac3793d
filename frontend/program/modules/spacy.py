"""spaCy: its tokenizers part texts at blanks here; their pipelines are not read."""

import _tilewise


class Token:
    def __init__(self, text):
        self.text = self.lemma_ = self.orth_ = text
        self.lower_ = text.lower()
        self.is_punct = self.is_space = self.is_stop = False

    def __str__(self):
        return self.text

    def __len__(self):
        return len(self.text)


class _Language:
    def __init__(self, *args, **kw):
        self.Defaults = self
        self.max_length = 1000000

    def tokenizer(self, text):
        if _tilewise.is_unknown(text):
            return text
        return [Token(word) for word in text.split()]

    __call__ = tokenizer

    def pipe(self, texts, **kw):
        return (self.tokenizer(text) for text in texts)

    def __getattr__(self, name):
        if name[:2] == "__":
            raise AttributeError(name)
        return _tilewise.unknown("what a pipeline of spaCy gives")


def load(name, **kw):
    return _Language()


blank = load


def prefer_gpu(gpu_id=0):
    return False


require_gpu = prefer_gpu
