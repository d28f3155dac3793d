"""Processes: the function is called once, as process 0."""


def set_start_method(method, force=False):
    pass


set_sharing_strategy = set_start_method


def get_context(method=None):
    import torch
    return torch.multiprocessing


def spawn(fn, args=(), nprocs=1, join=True, daemon=False, start_method="spawn"):
    fn(0, *args)


class Process:
    def __init__(self, group=None, target=None, name=None, args=(), kwargs=None):
        self.target, self.args, self.kwargs = target, args, kwargs or {}
        self.rank = None

    started = False

    def start(self):
        # The processes of a program do the same; the first one stands for all.
        if not Process.started:
            Process.started = True
            self.target(*self.args, **self.kwargs)

    def join(self, timeout=None):
        pass

    terminate = close = join
    exitcode = 0


class Value:
    def __init__(self, kind, value=0):
        self.value = value


def cpu_count():
    return 1
