"""Sequences of several lengths: all of them are taken to be as long as the longest."""

from ..._tensor import stack
from .. import functional as F


class PackedSequence:
    def __init__(self, data, lengths=None, batch_first=False):
        self.data, self.lengths, self.batch_first = data, lengths, batch_first

    @property
    def batch_sizes(self):
        return self.lengths

    def to(self, *args, **kwargs):
        return self


def pack_padded_sequence(input, lengths, batch_first=False, enforce_sorted=True):
    return PackedSequence(input, lengths, batch_first)


def pad_packed_sequence(sequence, batch_first=False, padding_value=0.0, total_length=None):
    x = sequence.data
    if batch_first != sequence.batch_first:
        x = x.transpose(0, 1)
    return x, sequence.lengths


def pad_sequence(sequences, batch_first=False, padding_value=0.0, padding_side="right"):
    longest = max([s.shape[0] for s in sequences])
    rows = [F.pad(s, [0, 0] * (s.dim() - 1) + [0, longest - s.shape[0]], value=padding_value)
            for s in sequences]
    return stack(rows, 0 if batch_first else 1)


def pack_sequence(sequences, enforce_sorted=True):
    return PackedSequence(pad_sequence(sequences), [s.shape[0] for s in sequences])


def unpad_sequence(padded, lengths, batch_first=False):
    return list(padded.unbind(0 if batch_first else 1))
