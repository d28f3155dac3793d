"""One process: the work of others is done here, at once."""

from queue import Queue
from threading import Barrier, Condition, Event, Lock, RLock, Semaphore, Thread

JoinableQueue = SimpleQueue = Queue


class Process(Thread):
    exitcode = 0
    pid = 1001

    def terminate(self):
        pass

    kill = close = terminate


class Value:
    def __init__(self, kind, value=0, lock=True):
        self.value = value

    def get_lock(self):
        return Lock()


def Array(kind, values, lock=True):
    return [0] * values if isinstance(values, int) else list(values)


class Pool:
    def __init__(self, processes=None, initializer=None, initargs=(), **kwargs):
        if initializer is not None:
            initializer(*initargs)

    def __enter__(self):
        return self

    def __exit__(self, *excinfo):
        pass

    def map(self, function, values, chunksize=None):
        return [function(value) for value in values]

    imap = imap_unordered = map

    def starmap(self, function, values, chunksize=None):
        return [function(*value) for value in values]

    def apply(self, function, args=(), kwds=None):
        return function(*args, **(kwds or {}))

    def apply_async(self, function, args=(), kwds=None, callback=None):
        return _Result(function(*args, **(kwds or {})))

    def map_async(self, function, values):
        return _Result(self.map(function, values))

    def close(self):
        pass

    join = terminate = close


class _Result:
    def __init__(self, value):
        self._value = value

    def get(self, timeout=None):
        return self._value

    def wait(self, timeout=None):
        pass

    def ready(self):
        return True


class Manager:
    def __enter__(self):
        return self

    def __exit__(self, *excinfo):
        pass

    dict, list, Queue, Lock, Value, Event = dict, list, Queue, Lock, Value, Event


def Pipe(duplex=True):
    class Connection(Queue):
        send, recv = Queue.put, Queue.get
    one = Connection()
    return one, one


class _Context:
    def __getattr__(self, name):
        return globals()[name]


def get_context(method=None):
    return _Context()


def cpu_count():
    return 8


def current_process():
    return _process


_process = Process(name="MainProcess")


def set_start_method(method, force=False):
    pass


freeze_support = active_children = set_start_method


def get_start_method(allow_none=False):
    return "fork"


def __getattr__(name):
    if name in ("pool", "managers", "shared_memory"):
        import importlib
        return importlib.import_module("multiprocessing." + name)
    raise AttributeError(f"module 'multiprocessing' has no attribute {name!r}")
