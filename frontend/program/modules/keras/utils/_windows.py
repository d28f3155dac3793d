"""TimeseriesGenerator of Keras 2: windows of rows."""

import _tilewise
import numpy
from keras.utils._basics import PyDataset

_unk = _tilewise.is_unknown


class TimeseriesGenerator(PyDataset):
    def __init__(self, data, targets, length, sampling_rate=1, stride=1, start_index=0,
                 end_index=None, shuffle=False, reverse=False, batch_size=128):
        self.data, self.targets, self.length = data, targets, length
        self.sampling_rate, self.stride, self.batch_size = sampling_rate, stride, batch_size
        self.start_index = start_index + length
        self.end_index = end_index

    def __len__(self):
        last = self.end_index
        if last is None:
            rows = numpy.array(self.data).shape[0] if not _unk(self.data) else self.data
            if _unk(rows) or _tilewise.open_size(rows) is None:
                return _tilewise.unknown("how many rows the data has")
            last = rows - 1
        per = self.batch_size * self.stride
        return (last - self.start_index + per) // per

    def __getitem__(self, index):
        if _unk(self.data) or _unk(self.targets):
            return (_tilewise.unknown("the columns of the data"),
                    _tilewise.unknown("the columns of the data"))
        x, y = numpy.array(self.data), numpy.array(self.targets)
        steps = -(-self.length // self.sampling_rate)
        return (numpy.ndarray((self.batch_size, steps) + tuple(x.shape[1:]), x.dtype),
                numpy.ndarray((self.batch_size,) + tuple(y.shape[1:]), y.dtype))
