"""Fabric: the program's own loop, on devices that it sets up."""

import _tilewise
from torch import device as _device
from torch._tensor import state
from torch.amp import autocast
from .._accept import Accepting
from ..pytorch._trainer import half_of, start


class Fabric:
    def __init__(self, *args, accelerator="auto", strategy="auto", devices="auto", num_nodes=1,
                 precision=None, plugins=None, callbacks=None, loggers=None, **options):
        self.kind, self.whole = half_of(precision)
        self.strategy, self.loggers = strategy, loggers or []
        self.accelerator, self._callbacks = accelerator, callbacks
        start(devices, strategy, accelerator)

    device = _device("xla", 0)
    global_rank = local_rank = node_rank = 0
    is_global_zero = True

    @property
    def logger(self):
        return self.loggers[0] if isinstance(self.loggers, list) and self.loggers else \
            Accepting()

    @property
    def world_size(self):
        return _tilewise.replicas() if state.per_core else 1

    # -- the set-up

    def launch(self, function=None, *args, **kwargs):
        self._cast()
        if function is not None:
            return function(self, *args, **kwargs)
        if type(self).run is not Fabric.run:
            return self.run(*args, **kwargs)

    def run(self, *args, **kwargs):
        pass

    def _cast(self):
        if self.kind is not None and not self.whole and state.cast is None:
            state.cast = self.kind.code
            _tilewise.record("autocast", dtype=state.cast)

    def setup(self, module, *optimizers, **options):
        module = self.setup_module(module)
        return (module,) + optimizers if optimizers else module

    def setup_module(self, module, **options):
        self._cast()
        if self.whole:
            module.to(self.kind)
        return module

    def setup_optimizers(self, *optimizers):
        return optimizers[0] if len(optimizers) == 1 else optimizers

    def setup_dataloaders(self, *loaders, **options):
        return loaders[0] if len(loaders) == 1 else list(loaders)

    # -- the loop

    def backward(self, tensor, *args, model=None, **kwargs):
        tensor.backward()

    def clip_gradients(self, *args, **kwargs):
        pass

    def autocast(self):
        return autocast(dtype=self.kind, enabled=self.kind is not None)

    def to_device(self, obj):
        return obj.to(self.device) if hasattr(obj, "to") else obj

    def all_gather(self, data, *args, **kwargs):
        return data

    all_reduce = broadcast = all_gather

    def no_backward_sync(self, module=None, enabled=True):
        return Accepting()

    def _context(self, *args, **kwargs):
        return Accepting()

    init_module = init_tensor = rank_zero_first = sharded_model = _context

    def _nothing(self, *args, **kwargs):
        return None

    print = log = log_dict = call = barrier = save = load_raw = _nothing

    def load(self, path, state=None, strict=True):
        return _tilewise.unknown("what a checkpoint holds")

    @staticmethod
    def seed_everything(seed=None, workers=None, verbose=True):
        return 0 if seed is None else seed
