"""Sequences of several lengths: all of them are taken to be as long as the longest."""

from ..._tensor import stack, tensor
from .. import functional as F


class PackedSequence:
    """Sequences one time step after another, all taken to be as long as the longest."""

    def __init__(self, data, batch_sizes=None, sorted_indices=None, unsorted_indices=None):
        self.sorted_indices, self.unsorted_indices = sorted_indices, unsorted_indices
        self.batch_first, self.lengths, self._data, self._padded = False, None, data, None
        self._sizes = batch_sizes

    @property
    def data(self):
        if self._data is None:
            x = self._padded.transpose(0, 1) if self.batch_first else self._padded
            self._data = x.reshape(-1, *x.shape[2:])
        return self._data

    @property
    def padded(self):
        if self._padded is None:
            steps = len(self._sizes)
            self._padded = self._data.reshape(steps, -1, *self._data.shape[1:])
        return self._padded

    @property
    def batch_sizes(self):
        if self._sizes is None:
            batch, steps = self._padded.shape[:2]
            if not self.batch_first:
                batch, steps = steps, batch
            self._sizes = tensor([batch] * steps)
        return self._sizes

    def _fields(self):
        return self.data, self.batch_sizes, self.sorted_indices, self.unsorted_indices

    def __iter__(self):
        return iter(self._fields())

    def __getitem__(self, index):
        return self._fields()[index]

    def to(self, *args, **kwargs):
        return self

    cuda = cpu = to


def packed(x, lengths, batch_first):
    made = PackedSequence(None)
    made._padded, made.lengths, made.batch_first = x, lengths, batch_first
    return made


def pack_padded_sequence(input, lengths, batch_first=False, enforce_sorted=True):
    return packed(input, lengths, batch_first)


def pad_packed_sequence(sequence, batch_first=False, padding_value=0.0, total_length=None):
    x, lengths = sequence.padded, sequence.lengths
    if lengths is None:
        lengths = tensor([x.shape[0]] * x.shape[1])
    if batch_first != sequence.batch_first:
        x = x.transpose(0, 1)
    return x, lengths


def pad_sequence(sequences, batch_first=False, padding_value=0.0, padding_side="right"):
    longest = max([s.shape[0] for s in sequences])
    rows = [F.pad(s, [0, 0] * (s.dim() - 1) + [0, longest - s.shape[0]], value=padding_value)
            for s in sequences]
    return stack(rows, 0 if batch_first else 1)


def pack_sequence(sequences, enforce_sorted=True):
    return packed(pad_sequence(sequences), [s.shape[0] for s in sequences], False)


def unpad_sequence(padded, lengths, batch_first=False):
    return list(padded.unbind(0 if batch_first else 1))
