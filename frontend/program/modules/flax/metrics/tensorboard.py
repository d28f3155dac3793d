"""flax.metrics.tensorboard: nothing is written."""


class SummaryWriter:
    def __init__(self, *args, **kw):
        pass

    def scalar(self, *args, **kw):
        return None

    def image(self, *args, **kw):
        return None

    def text(self, *args, **kw):
        return None

    def histogram(self, *args, **kw):
        return None

    def hparams(self, *args, **kw):
        return None

    def write(self, *args, **kw):
        return None

    def flush(self):
        return None

    def close(self):
        return None
