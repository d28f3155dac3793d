from torch._tensor import run_per_core


def spawn(fn, args=(), nprocs=None, join=True, daemon=False, start_method="spawn"):
    if nprocs != 1:
        run_per_core()
    fn(0, *args)


class MpModelWrapper:
    def __init__(self, model):
        self._model = model

    def to(self, device):
        return self._model


class MpSerialExecutor:
    def run(self, fn):
        return fn()
