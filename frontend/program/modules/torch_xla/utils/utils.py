import _tilewise
from torch._tensor import Tensor, record_batch, state, wrap
from torch_xla import runtime


class SampleGenerator:
    """Batches of made-up data, all alike."""

    def __init__(self, data, sample_count):
        self._data, self._sample_count = data, sample_count

    def __iter__(self):
        first = self._data[0] if isinstance(self._data, (tuple, list)) else self._data
        if isinstance(first, Tensor) and not state.stepped:
            size = first.shape[0]
            record_batch(size, "SampleGenerator")
            _tilewise.record("dataset_size",
                             size=size * self._sample_count * runtime.world_size())
        return iter([_inputs(self._data)])

    def __len__(self):
        return self._sample_count


def _inputs(value):
    if isinstance(value, Tensor):
        return wrap(_tilewise.input(list(value.shape), _tilewise.dtype(value._h)))
    if isinstance(value, dict):
        return {k: _inputs(v) for k, v in value.items()}
    if isinstance(value, (tuple, list)):
        return tuple([_inputs(v) for v in value])
    return value


def parallel_work(num_workers, fn, *args):
    return [fn(*a) for a in zip(*args)]


def getenv_as(name, kind, defval=None):
    return defval
