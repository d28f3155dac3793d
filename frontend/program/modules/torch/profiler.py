from .autograd.profiler import record_function


class profile(record_function):
    def step(self):
        pass


class ProfilerActivity:
    CPU, CUDA, XPU = 0, 1, 2


def schedule(**options):
    return None


def tensorboard_trace_handler(folder, *args, **kwargs):
    return None
