"""Texts become rows of token ids: how long they are is known, which words they hold is not."""

import _tilewise as _t
from keras._layer import Layer
from tensorflow._public import state

_unk = _t.is_unknown


def rows_of(x):
    """The sizes of a batch of texts: [] for one text, [None] for a number that is not known."""
    if isinstance(x, (str, bytes)):
        return []
    if isinstance(x, dict):
        x = list(x.values())[0] if x else x
    if isinstance(x, tuple):  # the segments of each text
        return rows_of(x[0]) if x else []
    if _unk(x):
        # A function of a pipeline is given one text at a time.
        return [] if state.host else [None]
    shape = getattr(x, "shape", None)
    if shape is None and isinstance(x, list):
        return [None if _t.is_unknown(len(x)) else len(x)]
    if shape is None or _unk(shape):
        return [] if state.host else [None]
    return [None if _unk(n) else n for n in shape]


def filled(rows, dtype, what="tokens"):
    from tensorflow._strings import outside
    return outside(list(rows), dtype, what)


def packed(x, y=None, sample_weight=None):
    if y is None and sample_weight is None:
        return x
    return (x, y) if sample_weight is None else (x, y, sample_weight)


def _ragged_rows(x):
    """Rows of tokens: their number."""
    if isinstance(x, (list, tuple)) and x and not isinstance(x[0], (int, str)):
        x = x[0]
    shape = getattr(x, "shape", None)
    if shape is None or _unk(shape):
        return rows_of(x)
    return list(shape)[:-1]


class StartEndPacker(Layer):
    def __init__(self, sequence_length, start_value=None, end_value=None, pad_value=None,
                 return_padding_mask=False, **kwargs):
        Layer.__init__(self)
        self.sequence_length, self.return_padding_mask = sequence_length, return_padding_mask
        self.start_value, self.end_value, self.pad_value = start_value, end_value, pad_value

    def __call__(self, x, sequence_length=None, add_start_value=True, add_end_value=True):
        rows = _ragged_rows(x) + [sequence_length or self.sequence_length]
        ids = filled(rows, "int32")
        return (ids, filled(rows, "bool", "a mask")) if self.return_padding_mask else ids


class MultiSegmentPacker(StartEndPacker):
    def __init__(self, sequence_length, start_value=None, end_value=None, **kwargs):
        StartEndPacker.__init__(self, sequence_length, start_value, end_value)

    def __call__(self, x, sequence_length=None, **kwargs):
        rows = _ragged_rows(x) + [sequence_length or self.sequence_length]
        return filled(rows, "int32"), filled(rows, "int32", "segments")


class MaskedLMMaskGenerator(Layer):
    def __init__(self, vocabulary_size, mask_selection_rate, mask_token_id,
                 mask_selection_length=None, unselectable_token_ids=(0,), mask_token_rate=0.8,
                 random_token_rate=0.1, **kwargs):
        Layer.__init__(self)
        self.mask_selection_length = mask_selection_length

    def __call__(self, inputs):
        rows = _ragged_rows(inputs) + [self.mask_selection_length]
        length = list(inputs.shape)[-1] if hasattr(inputs, "shape") else None
        return {"token_ids": filled(rows[:-1] + [length], "int32"),
                "mask_positions": filled(rows, "int32", "positions"),
                "mask_ids": filled(rows, "int32"),
                "mask_weights": filled(rows, "float32", "weights")}


class RandomDeletion(Layer):
    """Some of the tokens of each row."""

    def __init__(self, rate, **kwargs):
        Layer.__init__(self)

    def __call__(self, inputs):
        return inputs


class RandomSwap(RandomDeletion):
    pass
