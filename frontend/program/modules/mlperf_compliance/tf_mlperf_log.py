"""The same within TensorFlow."""


def sum_metric(tensor, name):
    return tensor


def log_deferred(*args, **kw):
    return None


def __getattr__(name):
    from mlperf_compliance import mlperf_log
    return getattr(mlperf_log, name)
