"""TensorArray: elements by their place; in a loop of the device its rows."""

import _tilewise
from tensorflow import _dtypes
from tensorflow._shape import TensorShape
from tensorflow._tensor import Tensor, handle, number_of, tensor, wrap


class TensorArray:
    def __init__(self, dtype, size=None, dynamic_size=None, clear_after_read=None,
                 tensor_array_name=None, handle=None, flow=None, infer_shape=True,
                 element_shape=None, colocate_with_first_write_call=True, name=None):
        self.dtype = _dtypes.as_dtype(dtype)
        self.dynamic_size = dynamic_size
        self.element_shape = TensorShape(element_shape)
        self._size = size
        self._items = {}      # by place
        self._any = None      # an element whose place is data
        self._rows = None     # all, as one tensor
        self.handle = self.flow = None

    def _count(self):
        n = number_of(self._size) if self._size is not None else None
        most = max(self._items) + 1 if self._items else 0
        return most if n is None else max(int(n), most)

    def write(self, index, value, name=None):
        value = tensor(value, None if self.dtype.kind == "O" else self.dtype)
        place = number_of(index)
        if place is None:
            from tensorflow._control import loops
            self._any = value
            if loops[0]:
                self._rows = wrap(_tilewise.loop_stack(handle(value)))
        else:
            self._items[int(place)] = value
        return self

    def read(self, index, name=None):
        place = number_of(index)
        if place is not None and int(place) in self._items:
            return self._items[int(place)]
        if self._rows is not None or place is None and self._items and self._whole():
            return self.stack()[index]
        if self._any is not None:
            return self._any
        if self._items:
            return list(self._items.values())[-1]
        return _tilewise.unknown("an element that was not written")

    def _whole(self):
        return len(self._items) == self._count()

    def stack(self, name=None):
        n = self._count()
        if self._rows is not None:
            return self._with_rows(n)
        one = self._any
        if one is None and self._items:
            one = list(self._items.values())[-1]
        if one is None:
            return _tilewise.unknown("elements that were not written")
        if getattr(one, "_strings", None) is not None:
            return one
        if not self._any and self._whole() or n <= len(self._items):
            return tensor([self._items[i] for i in sorted(self._items)])
        if len(self._items) and n <= 64:
            return tensor([self._items.get(i, one) for i in range(n)])
        h = handle(one)
        sizes = [max(1, n)] + list(_tilewise.shape(h))
        return wrap(_tilewise.op("tw.broadcast_in_dim", [h], {
            "shape": sizes, "dims": list(range(1, len(sizes)))}))

    def _with_rows(self, n):
        """The rows of a loop, and those that were written before it."""
        held = len(self._rows)
        if not self._items or held >= n:
            return self._rows
        before = tensor([self._items[i] for i in sorted(self._items)][:n - held])
        return wrap(_tilewise.op("tw.concatenate", [before._h, self._rows._h], {"dim": 0}))

    def gather(self, indices, name=None):
        from tensorflow._gather import gather
        return gather(self.stack(), indices)

    def concat(self, name=None):
        x = self.stack()
        sizes = list(_tilewise.shape(handle(x)))
        return wrap(_tilewise.op("tw.reshape", [handle(x)], {
            "shape": [sizes[0] * sizes[1]] + sizes[2:]}))

    def unstack(self, value, name=None):
        value = tensor(value)
        n = len(value)
        if n <= 32:
            for i in range(n):
                self._items[i] = value[i]
        else:
            self._rows = value
        self._size = n
        return self

    def scatter(self, indices, value, name=None):
        return self.unstack(value)

    def split(self, value, lengths, name=None):
        from tensorflow._array import split
        for i, part in enumerate(split(value, lengths)):
            self._items[i] = part
        return self

    def size(self, name=None):
        return tensor(len(self._rows) if self._rows is not None else self._count())

    def identity(self):
        return self

    def close(self, name=None):
        pass

    def grad(self, source, flow=None, name=None):
        return self

    def set_shape(self, shape):
        pass
