from torch.autograd.profiler import record_function


class Trace(record_function):
    pass


StepTrace = Trace


def start_server(port, only_on_master=True):
    return None


trace = trace_detached = start_trace = stop_trace = lambda *args, **kwargs: None
