"""Data sets as tables: one row is known by its types and stands for all."""

import _tilewise
from datasets import _rows

_unk = _tilewise.is_unknown
_ROWS = 10_000  # of a data set of which nobody knows: enough for whole batches


class Column:
    """All values of a column."""

    def __init__(self, dataset, name):
        self._dataset, self._name = dataset, name

    def __len__(self):
        return len(self._dataset)

    def __getitem__(self, index):
        if isinstance(index, slice):
            return [self[0]]
        return self._dataset[index][self._name]

    def __iter__(self):
        held = self._dataset._held
        return iter(held[self._name] if held is not None and self._name in held else [self[0]])


class Dataset:
    """`_give` makes a row, `_count` is the number of rows or None, `_held` data that is known."""

    def __init__(self, give=None, count=None, features=None, held=None, info=None):
        self._give, self._count, self._features, self._held = give, count, features, held
        self._format, self._shown, self._made = None, None, None
        self.info = info
        self.split = None

    def _next(self, give=None, **changes):
        made = type(self)(give or self._give, changes.get("count", self._count),
                          changes.get("features", self._features), changes.get("held"), self.info)
        made._format, made._shown = self._format, self._shown
        made.split = self.split
        return made

    @classmethod
    def from_dict(cls, mapping, features=None, info=None, split=None):
        count = None
        for values in mapping.values():
            count = len(values)
        count = None if _unk(count) else count
        return cls(lambda: {k: v[0] for k, v in mapping.items()}, count, features, dict(mapping))

    @classmethod
    def from_list(cls, mapping, features=None, info=None, split=None):
        rows = list(mapping)
        return cls.from_dict({k: [r[k] for r in rows] for k in (rows[0] if rows else {})})

    @classmethod
    def from_generator(cls, generator, features=None, gen_kwargs=None, **options):
        return cls(lambda: next(iter(generator(**(gen_kwargs or {})))))

    @classmethod
    def from_pandas(cls, frame, *args, **options):
        return cls(lambda: _tilewise.unknown("a row of a table"))

    from_csv = from_json = from_parquet = from_text = from_file = from_pandas

    # ---- what is known

    def __len__(self):
        if self._count is not None:
            return self._count
        _tilewise.note("how many rows a data set has is not known; " + str(_ROWS) +
                       " are taken, which decides how many steps an epoch has")
        return _ROWS

    @property
    def num_rows(self):
        return len(self)

    @property
    def features(self):
        if self._features is None:
            return _tilewise.unknown("the columns of a data set")
        return self._features

    @property
    def column_names(self):
        row = self._row()
        return row if _unk(row) else list(row)

    @property
    def num_columns(self):
        return len(self.column_names)

    @property
    def shape(self):
        return (len(self), self.num_columns)

    def unique(self, column):
        feature = (self._features or {}).get(column)
        return list(range(feature.num_classes)) if hasattr(feature, "num_classes") else \
            _tilewise.unknown("the values of a column")

    # ---- rows

    def _row(self, index=0):
        if self._held is not None:
            n = self._count or 0
            i = index if isinstance(index, int) and -n <= index < n else 0
            row = {k: v[i] for k, v in self._held.items()}
        else:
            # One row stands for all: what makes it runs once.
            if self._made is None:
                self._made = (self._give(),)
            row = self._made[0]
        if _unk(row) or not isinstance(row, dict) or isinstance(row, _AnyRow):
            return row
        row = dict(row)
        if self._shown is not None:
            row = {k: row[k] for k in self._shown if k in row}
        kind = self._format
        if callable(kind):
            return {k: v[0] for k, v in kind({k: [v] for k, v in row.items()}).items()}
        return {k: _rows.formatted(v, kind) for k, v in row.items()} if kind else row

    def __getitem__(self, index):
        if isinstance(index, str):
            return Column(self, index)
        if isinstance(index, (slice, list, range)):
            n = len(range(*index.indices(self._count or 1))) if isinstance(index, slice) \
                else len(index)
            return self._several(n)
        # An array of row numbers, as permutations of them are.
        if not _unk(index) and len(getattr(index, "shape", ())) == 1:
            row, n = self._row(), index.shape[0]
            return row if _unk(row) else {k: _rows.stacked(k, v, n) for k, v in row.items()}
        return self._row(index)

    def _several(self, n):
        row = self._row()
        if self._format in ("torch", "numpy", "np", "pt", "jax"):
            from grain._host import batched
            return {k: _rows.formatted(batched(v, n), self._format) for k, v in row.items()}
        return row if _unk(row) else {k: [v] * min(n, 1000) for k, v in row.items()}

    def __iter__(self):
        if self._held is not None and self._count is not None and self._count <= 1000:
            return iter([self._row(i) for i in range(self._count)])
        return iter([self._row()])

    def iter(self, batch_size, drop_last_batch=False):
        from grain._host import Elements, iterator
        return iterator(Elements(lambda: self._several(batch_size), None, self._count, batch_size))

    def to_dict(self, *args, **options):
        return self._held if self._held is not None else _tilewise.unknown("rows of a data set")

    def to_pandas(self, *args, **options):
        return _tilewise.unknown("rows of a data set")

    to_list = to_csv = to_json = to_parquet = to_pandas

    # ---- other rows

    def map(self, function=None, with_indices=False, with_rank=False, input_columns=None,
            batched=False, batch_size=1000, drop_last_batch=False, remove_columns=None,
            fn_kwargs=None, **options):
        more = fn_kwargs or {}
        if function is None:
            return self

        def give():
            row = self._row()
            if _unk(row) or isinstance(row, _AnyRow):
                return row if input_columns is not None else _of_any(function, row, batched, more)
            names = [input_columns] if isinstance(input_columns, str) else input_columns
            args = [row] if names is None else [row[n] for n in names]
            if batched:
                args = [{k: [v, v] for k, v in row.items()}] if names is None else \
                    [[v, v] for v in args]
            if with_indices:
                args.append([0, 1] if batched else 0)
            made = function(*args, **more)
            return _joined(row, made, batched, remove_columns)
        return self._next(give)

    def filter(self, function=None, *args, **options):
        return self._next(count=None)

    def select(self, indices, **options):
        n = len(indices) if hasattr(indices, "__len__") else None
        return self._next(lambda: self._row(), count=n if isinstance(n, int) else None)

    def take(self, n):
        return self._next(count=n if self._count is None else min(n, self._count))

    def skip(self, n):
        return self._next(count=None if self._count is None else max(0, self._count - n))

    def shard(self, num_shards, index, **options):
        return self._next(count=None if self._count is None else self._count // num_shards)

    def _same(self, *args, **options):
        return self

    shuffle = sort = flatten_indices = to_iterable_dataset = _same
    set_epoch = save_to_disk = push_to_hub = cleanup_cache_files = _same

    def train_test_split(self, test_size=None, train_size=None, shuffle=True, seed=None,
                         **options):
        n = self._count
        if test_size is None:
            test_size = 0.25 if train_size is None else \
                1 - train_size if isinstance(train_size, float) else None
        if n is None or test_size is None or _unk(test_size):
            sizes = (None, None)
        else:
            test = -int(-n * test_size // 1) if isinstance(test_size, float) else test_size
            sizes = (n - test, test)
        return DatasetDict({"train": self._next(lambda: self._row(), count=sizes[0]),
                            "test": self._next(lambda: self._row(), count=sizes[1])})

    # ---- other columns

    def _changed(self, change, features=None):
        return self._next(lambda: change(dict(self._row())), features=features or self._features)

    def remove_columns(self, column_names):
        names = [column_names] if isinstance(column_names, str) else list(column_names)
        return self._changed(lambda row: {k: v for k, v in row.items() if k not in names})

    def select_columns(self, column_names):
        names = [column_names] if isinstance(column_names, str) else list(column_names)
        return self._changed(lambda row: {k: row[k] for k in names})

    def rename_column(self, original_column_name, new_column_name):
        return self.rename_columns({original_column_name: new_column_name})

    def rename_columns(self, column_mapping):
        features = self._features
        if features is not None:
            features = {column_mapping.get(k, k): v for k, v in features.items()}
        return self._changed(lambda row: {column_mapping.get(k, k): v for k, v in row.items()},
                             features)

    def add_column(self, name, column, **options):
        def change(row):
            row[name] = column[0]
            return row
        return self._changed(change)

    def cast_column(self, column, feature):
        return self

    def cast(self, features, **options):
        return self

    def class_encode_column(self, column, **options):
        return self

    def flatten(self, **options):
        return self

    # ---- formats

    def set_format(self, type=None, columns=None, output_all_columns=False, **options):
        self._format, self._shown = type, columns

    def with_format(self, type=None, columns=None, output_all_columns=False, **options):
        made = self._next(held=self._held)
        made.set_format(type, columns)
        return made

    def reset_format(self):
        self._format = self._shown = None

    def set_transform(self, transform, columns=None, output_all_columns=False):
        self._format, self._shown = transform, columns

    def with_transform(self, transform, columns=None, output_all_columns=False):
        return self.with_format(transform, columns)

    def to_tf_dataset(self, batch_size=None, columns=None, shuffle=False, collate_fn=None,
                      drop_remainder=False, collate_fn_args=None, label_cols=None, prefetch=True,
                      num_workers=0, **options):
        from datasets._to_tf import made
        return made(self, batch_size, columns, shuffle, collate_fn, drop_remainder,
                    collate_fn_args or {}, label_cols)


class _AnyRow(dict):
    """A row, or two, of which not all columns are known: it has what is asked for."""

    def __init__(self, value, known=()):
        super().__init__(known)
        self.__dict__["value"] = value

    def __missing__(self, name):
        return self.value

    def __contains__(self, name):
        return True

    def get(self, name, default=None):
        return self[name]

    def pop(self, name, default=None):
        value = self[name]
        if name in list(self):
            del self[name]
        return value


def _of_any(function, row, batched, more):
    """What a function makes of such a row, such as the shapes of its tokens."""
    some = not _unk(row) and isinstance(row, _AnyRow)
    known, one = (row, row.value) if some else ({}, row)
    try:
        if batched:
            arg = _AnyRow([one, one], {k: [v, v] for k, v in known.items()})
        else:
            arg = _AnyRow(one, known)
        made = function(arg, **more)
    except Exception:
        return row
    if _unk(made) or not isinstance(made, dict) or not len(made):
        return row
    return _AnyRow(one, _joined(dict(known.items()), made, batched, None))


def _joined(row, made, batched, removed):
    """The row with what a function made of it."""
    if _unk(made):
        return made
    if made is None:
        return row
    made = {k: v[0] if batched and hasattr(v, "__getitem__") and len(v) else v
            for k, v in made.items()}
    names = [removed] if isinstance(removed, str) else removed
    if _unk(names):
        return made
    result = {k: v for k, v in row.items() if names is None or k not in names}
    result.update(made)
    return result


class IterableDataset(Dataset):
    def __len__(self):
        raise TypeError("object of type 'IterableDataset' has no len()")


class DatasetDict(dict):
    """Splits by name; methods of a data set are done to each."""

    def __getattr__(self, name):
        if name.startswith("__") or not hasattr(Dataset, name):
            raise AttributeError(name)
        if name in ("num_rows", "column_names", "shape", "num_columns"):
            return {k: getattr(v, name) for k, v in self.items()}

        def each(*args, **options):
            made = {k: getattr(v, name)(*args, **options) for k, v in self.items()}
            return DatasetDict(made) if None not in made.values() else None
        return each


IterableDatasetDict = DatasetDict
