from ..nn import Module


class AveragedModel(Module):
    def __init__(self, model, device=None, avg_fn=None, multi_avg_fn=None, use_buffers=False):
        Module.__init__(self)
        self.module = model

    def forward(self, *args, **kwargs):
        return self.module(*args, **kwargs)

    def update_parameters(self, model):
        pass


def update_bn(loader, model, device=None):
    pass
