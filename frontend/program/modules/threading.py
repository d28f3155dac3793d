"""One thread: a started thread runs at once, until it ends or waits for another."""

from queue import _Waits


class Thread:
    def __init__(self, group=None, target=None, name=None, args=(), kwargs=None, *, daemon=None):
        self._target, self._args, self._kwargs = target, args, kwargs or {}
        self.name = name or "Thread-1"
        self.daemon = daemon
        self.ident = 2

    def run(self):
        if self._target is not None:
            self._target(*self._args, **self._kwargs)

    def start(self):
        try:
            self.run()
        except _Waits:
            pass

    def join(self, timeout=None):
        pass

    def is_alive(self):
        return False

    def setDaemon(self, daemonic):
        self.daemon = daemonic


class Timer(Thread):
    def __init__(self, interval, function, args=(), kwargs=None):
        super().__init__(target=function, args=args, kwargs=kwargs)

    def start(self):
        pass

    def cancel(self):
        pass


class Lock:
    def acquire(self, blocking=True, timeout=-1):
        return True

    def release(self, *args):
        pass

    def locked(self):
        return False

    def __enter__(self):
        return True

    def __exit__(self, *excinfo):
        pass


class RLock(Lock):
    pass


class Condition(Lock):
    def __init__(self, lock=None):
        pass

    def wait(self, timeout=None):
        return True

    def wait_for(self, predicate, timeout=None):
        return True

    def notify(self, n=1):
        pass

    notify_all = notify


class Semaphore(Lock):
    def __init__(self, value=1):
        pass


BoundedSemaphore = Semaphore


class Barrier:
    def __init__(self, parties, action=None, timeout=None):
        self.parties = parties

    def wait(self, timeout=None):
        return 0


class Event:
    def __init__(self):
        self._set = False

    def is_set(self):
        return self._set

    def set(self):
        self._set = True

    def clear(self):
        self._set = False

    def wait(self, timeout=None):
        return True


class local:
    pass


_main = Thread(name="MainThread")


def current_thread():
    return _main


main_thread = currentThread = current_thread


def get_ident():
    return 1


def active_count():
    return 1


def enumerate():
    return [_main]
