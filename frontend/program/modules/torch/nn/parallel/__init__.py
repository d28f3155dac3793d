"""Wrappers of modules for several devices."""

from .._module import Module


class DataParallel(Module):
    def __init__(self, module, device_ids=None, output_device=None, dim=0):
        Module.__init__(self)
        self.module = module

    def forward(self, *args, **kwargs):
        return self.module(*args, **kwargs)

    def replicate(self, module, device_ids=None):
        return [module]

    def gather(self, outputs, output_device=None):
        return outputs[0]

    def scatter(self, inputs, kwargs=None, device_ids=None):
        return [inputs], [kwargs]

    def parallel_apply(self, replicas, inputs, kwargs=None):
        return [replicas[0](*inputs[0])]


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
