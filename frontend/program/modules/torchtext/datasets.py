"""torchtext.datasets: examples of the public ones by their published numbers."""

from torch.utils.data import Dataset as _Dataset
from torchtext.data import (Dataset, LanguageModelingDataset, SequenceTaggingDataset,
                            TranslationDataset)
from torchtext.data._texts import LENGTH, SENTENCE, taken


class _Lines(_Dataset):
    """Examples of a new release: texts, beside a class where there are classes."""

    def __init__(self, count, names, classes):
        self._count, self._names, self.num_classes = count, names, classes

    def __len__(self):
        return self._count

    def __getitem__(self, index):
        texts = self._names if self.num_classes is None else self._names[1:]
        length = taken(SENTENCE if len(texts) == 2 else LENGTH)
        text = " ".join(["word"] * length)
        if self.num_classes is not None:
            return (1,) + (text,) * len(texts)
        return text if len(texts) == 1 else (text,) * len(texts)

    def __iter__(self):
        return iter([self[0]])

    def __next__(self):
        return self[0]

    def shuffle(self):
        return self

    def batch(self, size):
        return self


class _Public:
    """`sizes`: by split; `names`: the columns; `classes`: of those with a class."""
    sizes, names, classes = {}, (), None

    def __new__(cls, root=".data", split=None, language_pair=None, **kw):
        if isinstance(root, (tuple, str)) and root in (("train", "valid", "test"), "train"):
            root, split = ".data", root
        parts = tuple(cls.sizes) if split is None else split
        made = [_Lines(cls._count(p), cls.names, cls.classes)
                for p in ([parts] if isinstance(parts, str) else parts)]
        return made[0] if isinstance(parts, str) else tuple(made)

    @classmethod
    def _count(cls, split):
        return cls.sizes.get(split, cls.sizes.get({"valid": "test"}.get(split), 1000))

    @classmethod
    def splits(cls, *given, exts=None, fields=None, root=".data", train=None, validation=None,
               test=None, **kw):
        fields = [f for f in given if not isinstance(f, (tuple, str))] + list(fields or ())
        fields += [f for k, f in kw.items() if k in ("text_field", "label_field")]
        fields = list(zip(cls.names, fields))
        parts = list(cls.sizes.values()) if train is not False else list(cls.sizes.values())[1:]
        return tuple([Dataset(None, fields, count=n, classes=cls.classes) for n in parts])

    @classmethod
    def iters(cls, batch_size=32, **kw):
        from torchtext.data import BPTTIterator, BucketIterator, Field, LabelField
        fields = [LabelField() if n == "label" else Field(include_lengths=cls.classes is not None)
                  for n in cls.names]
        parts = cls.splits(*fields)
        for field in fields:
            field.build_vocab(*parts)
        if cls.names == ("text",):
            return BPTTIterator.splits(parts, batch_size=batch_size,
                                       bptt_len=kw.get("bptt_len", 35))
        return BucketIterator.splits(parts, batch_size=batch_size)


def _made(name, names, sizes, classes=None):
    return type(name, (_Public,), {"names": names, "sizes": sizes, "classes": classes})


_PAIR, _ONE, _CLASS = ("src", "trg"), ("text",), ("text", "label")
Multi30k = _made("Multi30k", _PAIR, {"train": 29000, "valid": 1014, "test": 1000})
IWSLT = IWSLT2016 = _made("IWSLT", _PAIR, {"train": 196884, "valid": 993, "test": 1305})
IWSLT2017 = _made("IWSLT2017", _PAIR, {"train": 206112, "valid": 888, "test": 1568})
WMT14 = _made("WMT14", _PAIR, {"train": 4500966, "valid": 3000, "test": 3003})
WikiText2 = _made("WikiText2", _ONE, {"train": 36718, "valid": 3760, "test": 4358})
WikiText103 = _made("WikiText103", _ONE, {"train": 1801350, "valid": 3760, "test": 4358})
PennTreebank = _made("PennTreebank", _ONE, {"train": 42068, "valid": 3370, "test": 3761})
IMDB = _made("IMDB", _CLASS, {"train": 25000, "test": 25000}, 2)
AG_NEWS = _made("AG_NEWS", _CLASS, {"train": 120000, "test": 7600}, 4)
SogouNews = _made("SogouNews", _CLASS, {"train": 450000, "test": 60000}, 5)
DBpedia = _made("DBpedia", _CLASS, {"train": 560000, "test": 70000}, 14)
YelpReviewPolarity = _made("YelpReviewPolarity", _CLASS, {"train": 560000, "test": 38000}, 2)
YelpReviewFull = _made("YelpReviewFull", _CLASS, {"train": 650000, "test": 50000}, 5)
YahooAnswers = _made("YahooAnswers", _CLASS, {"train": 1400000, "test": 60000}, 10)
AmazonReviewPolarity = _made("AmazonReviewPolarity", _CLASS,
                             {"train": 3600000, "test": 400000}, 2)
AmazonReviewFull = _made("AmazonReviewFull", _CLASS, {"train": 3000000, "test": 650000}, 5)
SST = _made("SST", _CLASS, {"train": 8544, "valid": 1101, "test": 2210}, 3)
SST2 = _made("SST2", _CLASS, {"train": 67349, "dev": 872, "test": 1821}, 2)
TREC = _made("TREC", _CLASS, {"train": 5452, "test": 500}, 6)
SNLI = _made("SNLI", ("premise", "hypothesis", "label"),
             {"train": 550152, "valid": 10000, "test": 10000}, 3)
UDPOS = _made("UDPOS", ("text", "udtags", "ptbtags"),
              {"train": 12543, "valid": 2002, "test": 2077})
