"""Arrays of numbers of one kind, as long as what they are made of."""

import struct

_KINDS = {"b": "int8", "B": "uint8", "h": "int16", "H": "uint16", "i": "int32", "I": "uint32",
          "l": "int64", "L": "uint64", "q": "int64", "Q": "uint64", "f": "float32",
          "d": "float64", "u": "int32"}


class array:
    def __init__(self, typecode, initializer=()):
        self.typecode, self.itemsize = typecode, struct.calcsize("=" + typecode)
        self._held = initializer if isinstance(initializer, (bytes, bytearray)) or \
            hasattr(initializer, "blob") else list(initializer)

    def __array__(self, dtype=None):
        import numpy
        if isinstance(self._held, list):
            return numpy.array(self._held, _KINDS[self.typecode])
        return numpy.ndarray([len(self)], _KINDS[self.typecode])

    def __len__(self):
        n = len(self._held)
        return n if isinstance(self._held, list) else n // self.itemsize

    def __iter__(self):
        return iter(self.tolist())

    def __getitem__(self, index):
        return self.tolist()[index]

    def append(self, value):
        self._held.append(value)

    def extend(self, values):
        self._held.extend(values)

    def byteswap(self):
        pass

    def fromfile(self, f, n):
        pass

    def tobytes(self):
        return self._held

    def tolist(self):
        if isinstance(self._held, list):
            return self._held
        import _tilewise
        return _tilewise.unknown("the numbers of a file")
