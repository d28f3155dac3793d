"""clu.asynclib."""


class Pool:
    def __init__(self, *args, **kw):
        pass

    def __call__(self, f):
        return f

    def join(self):
        return None

    def close(self):
        return None
