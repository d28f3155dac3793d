"""Wrappers of modules for several devices."""

from .._module import Module


class DataParallel(Module):
    def __init__(self, module, device_ids=None, output_device=None, dim=0):
        Module.__init__(self)
        self.module = module

    def forward(self, *args, **kwargs):
        return self.module(*args, **kwargs)


class DistributedDataParallel(DataParallel):
    require_backward_grad_sync = True

    def __init__(self, module, device_ids=None, output_device=None, dim=0, **options):
        DataParallel.__init__(self, module)

    def no_sync(self):
        from ...backends import _Backend
        return _Backend()

    def register_comm_hook(self, state, hook):
        pass


def parallel_apply(modules, inputs):
    return [m(*i) for m, i in zip(modules, inputs)]
