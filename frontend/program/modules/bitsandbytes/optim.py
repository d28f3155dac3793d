"""Optimizers whose states have few bits; the memory of their states is counted in full."""

from torch import optim as _o

Adam = Adam8bit = PagedAdam8bit = _o.Adam
AdamW = AdamW8bit = AdamW32bit = PagedAdamW = PagedAdamW8bit = PagedAdamW32bit = _o.AdamW
SGD = SGD8bit = _o.SGD
Adagrad = Adagrad8bit = _o.Adagrad
RMSprop = RMSprop8bit = _o.RMSprop


class GlobalOptimManager:
    @staticmethod
    def get_instance():
        return GlobalOptimManager()

    def register_module_override(self, *args, **kwargs):
        pass
