"""absl.logging: nothing is written."""

DEBUG, INFO, WARNING, WARN, ERROR, FATAL = 1, 0, -1, -1, -2, -3


def _ignore(*args, **kw):
    return None


info = debug = warning = warn = error = exception = log = vlog = _ignore
log_every_n = log_first_n = log_if = log_every_n_seconds = _ignore
set_verbosity = set_stderrthreshold = use_absl_handler = flush = get_verbosity = _ignore


def fatal(message="", *args, **kw):
    raise RuntimeError(message)


def vlog_is_on(level):
    return False


def level_debug():
    return False


def get_absl_handler():
    return _Handler()


class _Handler:
    python_handler = None

    def __getattr__(self, name):
        return _ignore


converter = _Handler()
