"""Helpers for the with statement."""


class ContextDecorator:
    def __call__(self, function):
        from functools import wraps

        @wraps(function)
        def inner(*args, **kwargs):
            with self._recreate_cm():
                return function(*args, **kwargs)
        return inner

    def _recreate_cm(self):
        return self


class AbstractContextManager:
    def __enter__(self):
        return self

    def __exit__(self, kind, value, trace):
        return None


class _GeneratorManager(ContextDecorator):
    def __init__(self, function, args, kwargs):
        self._made = (function, args, kwargs)
        self.gen = function(*args, **kwargs)

    def _recreate_cm(self):
        return _GeneratorManager(*self._made)

    def __enter__(self):
        try:
            return next(self.gen)
        except StopIteration:
            raise RuntimeError("generator didn't yield") from None

    def __exit__(self, kind, value, trace):
        if kind is None:
            try:
                next(self.gen)
            except StopIteration:
                return False
            # Both branches of an unknown condition ran: it yields in each.
            return False
        if value is None:
            value = kind()
        try:
            self.gen.throw(value)
        except StopIteration as stop:
            return stop is not value
        except BaseException as error:
            if error is value:
                return False
            if isinstance(value, StopIteration) and error.__cause__ is value:
                return False
            raise
        raise RuntimeError("generator didn't stop after throw()")


def contextmanager(function):
    def helper(*args, **kwargs):
        return _GeneratorManager(function, args, kwargs)
    helper.__name__ = getattr(function, "__name__", "helper")
    helper.__doc__ = getattr(function, "__doc__", None)
    helper.__wrapped__ = function
    return helper


asynccontextmanager = contextmanager


class nullcontext:
    def __init__(self, enter_result=None):
        self.enter_result = enter_result

    def __enter__(self):
        return self.enter_result

    def __exit__(self, *excinfo):
        return None


class suppress:
    def __init__(self, *exceptions):
        self._exceptions = exceptions

    def __enter__(self):
        return None

    def __exit__(self, kind, value, trace):
        return kind is not None and issubclass(kind, self._exceptions)


class closing:
    def __init__(self, thing):
        self.thing = thing

    def __enter__(self):
        return self.thing

    def __exit__(self, *excinfo):
        self.thing.close()


class _redirect:
    _stream = None

    def __init__(self, new_target):
        self._new_target = new_target

    def __enter__(self):
        import sys
        self._old = getattr(sys, self._stream)
        setattr(sys, self._stream, self._new_target)
        return self._new_target

    def __exit__(self, *excinfo):
        import sys
        setattr(sys, self._stream, self._old)


class redirect_stdout(_redirect):
    _stream = "stdout"


class redirect_stderr(_redirect):
    _stream = "stderr"


class ExitStack:
    def __init__(self):
        self._exits = []

    def enter_context(self, manager):
        value = type(manager).__enter__(manager)
        self._exits.append(lambda *e: type(manager).__exit__(manager, *e))
        return value

    def push(self, exit):
        if hasattr(type(exit), "__exit__"):
            self._exits.append(lambda *e: type(exit).__exit__(exit, *e))
        else:
            self._exits.append(exit)
        return exit

    def callback(self, function, /, *args, **kwargs):
        def run(*excinfo):
            function(*args, **kwargs)
        self._exits.append(run)
        return function

    def pop_all(self):
        made = type(self)()
        made._exits, self._exits = self._exits, []
        return made

    def close(self):
        self.__exit__(None, None, None)

    def __enter__(self):
        return self

    def __exit__(self, kind, value, trace):
        had = value is not None
        pending = value
        while self._exits:
            leave = self._exits.pop()
            try:
                if pending is None:
                    leave(None, None, None)
                elif leave(type(pending), pending, None):
                    pending = None
            except BaseException as error:
                pending = error
        if pending is not None and pending is not value:
            raise pending
        return had and pending is None


AsyncExitStack = ExitStack
