"""Futures that are done when they are made."""


class Future:
    def __init__(self, value=None):
        self._value = value

    def result(self, timeout=None):
        return self._value

    def done(self):
        return True

    def exception(self, timeout=None):
        return None

    def cancel(self):
        return False

    def add_done_callback(self, function):
        function(self)


class Executor:
    def __init__(self, max_workers=None, *args, **kwargs):
        pass

    def submit(self, function, /, *args, **kwargs):
        return Future(function(*args, **kwargs))

    def map(self, function, *iterables, timeout=None, chunksize=1):
        return map(function, *iterables)

    def shutdown(self, wait=True, **kwargs):
        pass

    def __enter__(self):
        return self

    def __exit__(self, *excinfo):
        pass


ThreadPoolExecutor = ProcessPoolExecutor = Executor
TimeoutError = TimeoutError
ALL_COMPLETED, FIRST_COMPLETED = "ALL_COMPLETED", "FIRST_COMPLETED"


def as_completed(futures, timeout=None):
    return iter(list(futures))


def wait(futures, timeout=None, return_when=ALL_COMPLETED):
    return set(futures), set()
