from torch._tensor import Tensor, moved
from torch.utils._pytree import rebuilt


def _moved(value):
    if isinstance(value, Tensor):
        return moved(value)
    if isinstance(value, dict):
        return {k: _moved(v) for k, v in value.items()}
    if isinstance(value, (list, tuple)):
        return rebuilt(type(value), [_moved(v) for v in value])
    return value


class MpDeviceLoader:
    def __init__(self, loader, device=None, **kwargs):
        self._loader = loader
        sharding = kwargs.get("input_sharding")
        self._sharding = sharding

    def __iter__(self):
        for batch in self._loader:
            batch = _moved(batch)
            if self._sharding is not None:
                _shard(batch, self._sharding)
            yield batch

    def __len__(self):
        return len(self._loader)


def _shard(value, spec):
    if isinstance(value, Tensor) and hasattr(spec, "apply"):
        spec.apply(value)
    elif isinstance(value, (list, tuple)):
        for v in value:
            _shard(v, spec)
    elif isinstance(value, dict):
        for v in value.values():
            _shard(v, spec)


class ParallelLoader(MpDeviceLoader):
    def __init__(self, loader, devices=None, **kwargs):
        MpDeviceLoader.__init__(self, loader, None, **kwargs)

    def per_device_loader(self, device):
        return self
