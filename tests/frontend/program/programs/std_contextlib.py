import contextlib
import io
from contextlib import ExitStack, closing, contextmanager, nullcontext, redirect_stdout, suppress


@contextmanager
def scope(name, log):
    log.append("enter " + name)
    try:
        yield name.upper()
    except KeyError as e:
        log.append("caught " + repr(e))
    finally:
        log.append("exit " + name)


log = []
with scope("a", log) as a:
    log.append(a)
with scope("b", log):
    raise KeyError("k")
try:
    with scope("c", log):
        raise ValueError("through")
except ValueError as e:
    log.append(str(e))
print(log)


@contextmanager
def flag(holder):
    old, holder["on"] = holder["on"], True
    yield
    holder["on"] = old


h = {"on": False}
with flag(h):
    print(h)
print(h)


@flag(h)
def decorated():
    return h["on"]


print(decorated(), decorated(), h)
with nullcontext() as n, nullcontext(5) as m:
    print(n, m)
with suppress(KeyError, ZeroDivisionError):
    {}["x"]
print("after suppress")
autocast = nullcontext() if h["on"] is False else scope("x", log)
with autocast:
    print("in autocast")
buffer = io.StringIO()
with redirect_stdout(buffer):
    print("hidden", 1)
print(repr(buffer.getvalue()))
order = []
with ExitStack() as stack:
    for name in "pq":
        stack.enter_context(scope(name, order))
    stack.callback(order.append, "callback")
    order.append("body")
print(order)


class Closer:
    closed = False

    def close(self):
        self.closed = True


thing = Closer()
with closing(thing) as t:
    print(t.closed)
print(thing.closed)


class Timer(contextlib.ContextDecorator):
    def __enter__(self):
        print("start")
        return self

    def __exit__(self, *exc):
        print("stop")
        return False


@Timer()
def work(x):
    return x + 1


print(work(1))


class Model:
    @contextmanager
    def no_sync(self):
        print("no sync")
        yield self
        print("sync")

    @staticmethod
    @contextmanager
    def fixed():
        yield 3


with Model().no_sync() as mm, Model.fixed() as three:
    print(type(mm).__name__, three)


def early():
    with scope("r", []) as r:
        return r


print(early())
