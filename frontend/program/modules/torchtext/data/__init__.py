"""torchtext.data: fields say what becomes of a column; iterators give batches of them."""

import _tilewise
import torch
from torch.utils.data import DataLoader, Dataset as _Dataset, _examples
from torchtext.data import functional, metrics, utils
from torchtext.data._texts import LENGTH, SENTENCE, taken
from torchtext.data.functional import to_map_style_dataset
from torchtext.data.utils import get_tokenizer, interleave_keys
from torchtext.vocab import Vocab


class RawField:
    def __init__(self, preprocessing=None, postprocessing=None, is_target=False):
        self.is_target = is_target

    def preprocess(self, x):
        return x

    def _batch(self, size, usual=LENGTH):
        return ["text"] * size

    def _one(self):
        return "text"


class Field(RawField):
    vocab_cls = Vocab
    dtypes = {}

    def __init__(self, sequential=True, use_vocab=True, init_token=None, eos_token=None,
                 fix_length=None, dtype=torch.int64, preprocessing=None, postprocessing=None,
                 lower=False, tokenize=None, tokenizer_language="en", include_lengths=False,
                 batch_first=False, pad_token="<pad>", unk_token="<unk>", pad_first=False,
                 truncate_first=False, stop_words=None, is_target=False, tensor_type=None):
        if tensor_type is not None:  # of the first versions
            dtype = tensor_type(1).dtype
        self.sequential, self.use_vocab, self.fix_length = sequential, use_vocab, fix_length
        self.init_token, self.eos_token, self.unk_token = init_token, eos_token, unk_token
        self.pad_token = pad_token if sequential else None
        self.dtype, self.lower, self.is_target = dtype, lower, is_target
        self.include_lengths, self.batch_first = include_lengths, batch_first
        self.tokenize = tokenize if callable(tokenize) else str.split

    def build_vocab(self, *args, **kw):
        specials = [self.unk_token, self.pad_token, self.init_token, self.eos_token]
        specials += kw.pop("specials", [])
        self.vocab = self.vocab_cls(None, specials=specials, max_size=kw.get("max_size"),
                                    vectors=kw.get("vectors"))
        if not self.sequential:
            sizes = [d._classes for d in args if getattr(d, "_classes", None)]
            self.vocab._size = sizes[0] if sizes else None

    def _batch(self, size, usual=LENGTH):
        """`usual`: how long texts of this kind are."""
        if not self.sequential:
            return _examples([size], _code(self.dtype))
        length = taken(usual) if self.fix_length is None else self.fix_length
        at = 0 if self.batch_first else 1
        x = _examples([size, length] if at == 0 else [length, size], _code(self.dtype), at)
        return (x, _examples([size], "s64")) if self.include_lengths else x

    def _one(self):
        return ["word"] * LENGTH if self.sequential else "class"

    def process(self, batch, device=None):
        return self._batch(len(batch))

    def pad(self, minibatch):
        return minibatch

    def numericalize(self, arr, device=None):
        return self._batch(len(arr))


class ReversibleField(Field):
    pass


class NestedField(Field):
    def __init__(self, nesting_field, **kw):
        super().__init__(**{k: v for k, v in kw.items() if k not in ("use_vocab",)})
        self.nesting_field = nesting_field


class LabelField(Field):
    def __init__(self, **kw):
        super().__init__(**{"sequential": False, "unk_token": None, "is_target": True, **kw})


def _code(dtype):
    return getattr(dtype, "code", "s64")


class Example:
    @classmethod
    def fromlist(cls, data, fields):
        made = cls()
        for (name, field), value in zip(fields, data):
            if field is not None:
                setattr(made, name, value)
        return made

    @classmethod
    def fromdict(cls, data, fields):
        made = cls()
        for name, field in fields.values():
            setattr(made, name, data.get(name))
        return made

    fromCSV = fromJSON = fromlist


def _named(fields):
    """The fields by the names of the columns; those of no use are None."""
    items = list(fields.values()) if isinstance(fields, dict) else list(fields)
    found = {}
    for item in items:
        if not isinstance(item, (tuple, list)):
            continue
        name, field = item
        pairs = zip(name, field) if isinstance(name, (tuple, list)) else [(name, field)]
        for n, f in pairs:
            if f is not None and isinstance(n, str):
                found[n] = f
    return found


class Dataset(_Dataset):
    sort_key = None
    _classes = None

    def __init__(self, examples=None, fields=(), filter_pred=None, count=None, classes=None):
        self.fields, self._classes = _named(fields), classes
        self._count = count
        if count is None and isinstance(examples, list) and not _tilewise.open_reason(examples):
            self._count = len(examples)

    @property
    def examples(self):
        return _Rows(self)

    def __len__(self):
        if self._count is None:
            return _tilewise.unknown("how many examples the data set has")
        return self._count

    def __getitem__(self, index):
        made = Example()
        for name, field in self.fields.items():
            setattr(made, name, field._one())
        return made

    def __getattr__(self, name):
        if name in self.__dict__.get("fields", ()):
            return [getattr(self[0], name)]
        raise AttributeError(name)

    def split(self, split_ratio=0.7, stratified=False, strata_field="label", random_state=None):
        parts = split_ratio if isinstance(split_ratio, (list, tuple)) else \
            [split_ratio, 1 - split_ratio]
        made = []
        for share in parts:
            count = None if self._count is None else int(round(self._count * share / sum(parts)))
            made.append(self._like(count))
        return tuple(made)

    def _like(self, count):
        made = Dataset(None, list(self.fields.items()), count=count, classes=self._classes)
        return made

    @classmethod
    def splits(cls, path=None, root=".data", train=None, validation=None, test=None, **kw):
        given = [p for p in (train, validation, test) if p is not None]
        return tuple([cls(path=p, **kw) for p in given])


class _Rows:
    def __init__(self, dataset):
        self._dataset = dataset

    def __len__(self):
        return len(self._dataset)

    def __getitem__(self, index):
        return self._dataset[0]

    def __iter__(self):
        return iter(self._dataset)


class TabularDataset(Dataset):
    def __init__(self, path=None, format=None, fields=(), skip_header=False, **kw):
        super().__init__(None, fields)


class TranslationDataset(Dataset):
    def __init__(self, path=None, exts=None, fields=(), **kw):
        fields = list(fields)
        if fields and not isinstance(fields[0], (tuple, list)):
            fields = [("src", fields[0]), ("trg", fields[1])]
        super().__init__(None, fields, count=kw.get("count"))


class SequenceTaggingDataset(TabularDataset):
    pass


class LanguageModelingDataset(Dataset):
    def __init__(self, path=None, text_field=None, newline_eos=True, **kw):
        super().__init__(None, [("text", text_field)])


class Batch:
    def __init__(self, dataset, size):
        self.batch_size, self.dataset, self.fields = size, dataset, list(dataset.fields)
        self._targets = [n for n, f in dataset.fields.items() if f.is_target]
        texts = [f for f in dataset.fields.values() if getattr(f, "sequential", False)]
        usual = SENTENCE if len(texts) == 2 else LENGTH
        for name, field in dataset.fields.items():
            setattr(self, name, field._batch(size, usual))

    def __len__(self):
        return self.batch_size

    def __iter__(self):
        def of(names):
            values = tuple([getattr(self, n) for n in names])
            return values[0] if len(values) == 1 else values or None
        yield of([n for n in self.fields if n not in self._targets])
        yield of(self._targets)


class Iterator(DataLoader):
    def __init__(self, dataset, batch_size, sort_key=None, device=None, batch_size_fn=None,
                 train=True, repeat=False, shuffle=None, sort=None, sort_within_batch=None):
        super().__init__(dataset, batch_size, collate_fn=self._collate, drop_last=False)
        self.train, self.device, self.iterations = train, device, 0
        self.batch_size_fn = batch_size_fn

    def _collate(self, samples):
        size = len(samples)
        if self.batch_size_fn is not None:
            # The size counts tokens.
            size = max(size // LENGTH, 1)
        return Batch(self.dataset, size)

    def data(self):
        return self.dataset.examples

    def init_epoch(self):
        pass

    def create_batches(self):
        pass

    @property
    def epoch(self):
        return 0

    @classmethod
    def splits(cls, datasets, batch_sizes=None, **kw):
        if batch_sizes is None:
            batch_sizes = [kw.pop("batch_size")] * len(datasets)
        kw.pop("batch_size", None)
        return tuple([cls(d, batch_size=n, train=i == 0, **kw)
                      for i, (d, n) in enumerate(zip(datasets, batch_sizes))])


class BucketIterator(Iterator):
    pass


class BPTTIterator(Iterator):
    def __init__(self, dataset, batch_size, bptt_len, **kw):
        self.bptt_len = bptt_len
        super().__init__(dataset, batch_size, **kw)

    def _collate(self, samples):
        made = Batch(self.dataset, len(samples))
        for name in ("text", "target"):
            setattr(made, name, _examples([self.bptt_len, len(samples)], "s64", 1))
        return made


def batch(data, batch_size, batch_size_fn=None):
    return iter([[next(iter(data))] * batch_size])


def pool(data, batch_size, key=None, **kw):
    return batch(data, batch_size)
