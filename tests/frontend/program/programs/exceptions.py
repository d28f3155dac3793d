class AppError(Exception):
    def __init__(self, code, *rest):
        super().__init__(code, *rest)
        self.code = code

    def __str__(self):
        return f"app error {self.code}"


class NotFound(AppError, KeyError):
    pass


def attempt(f):
    try:
        result = f()
    except NotFound as e:
        return "notfound", str(e), e.args
    except (AppError, ZeroDivisionError) as e:
        return type(e).__name__, str(e)
    except LookupError as e:
        return "lookup", repr(e)
    except Exception as e:
        return "other", type(e).__name__, e.args
    else:
        return "ok", result
    finally:
        print("finally", end=" ")


def throw(e):
    raise e


print(attempt(lambda: 5))
print(attempt(lambda: throw(NotFound(404, "x"))))
print(attempt(lambda: throw(AppError(1))))
print(attempt(lambda: 1 // 0))
print(attempt(lambda: [][1]))
print(attempt(lambda: throw(ValueError("a", 2))))
print(attempt(lambda: throw(RuntimeError)))


def flow():
    for i in range(5):
        try:
            if i == 0:
                continue
            if i == 1:
                raise ValueError(i)
            if i == 3:
                break
            print("body", i)
        except ValueError as e:
            print("handled", e)
            continue
        else:
            print("else", i)
        finally:
            print("cleanup", i)
    return i


print(flow())


def override():
    try:
        return "try"
    finally:
        print("in finally")


def swallow():
    while True:
        try:
            raise KeyError("lost")
        finally:
            return "finally wins"


print(override(), swallow())
try:
    try:
        raise ValueError("inner")
    except ValueError as e:
        raise RuntimeError("outer") from e
except RuntimeError as e:
    print(e, "|", repr(e.__cause__), e.__cause__ is e.__context__)
try:
    try:
        {}["k"]
    except KeyError:
        raise
except KeyError as e:
    print("reraised", e)
try:
    try:
        1 / 0
    except ZeroDivisionError:
        undefined
except NameError as e:
    print(type(e.__context__).__name__, "e" in dir())
print("e" in globals())
try:
    raise Exception
except BaseException as e:
    print(repr(e), str(e) == "", e.args)
print(repr(ValueError("x")), repr(KeyError("k")), str(KeyError("k")), str(ValueError(1, 2)), repr(AppError(3)))
print(issubclass(KeyError, LookupError), issubclass(IndexError, Exception), issubclass(FileNotFoundError, OSError), IOError is OSError, issubclass(ModuleNotFoundError, ImportError), issubclass(NotImplementedError, RuntimeError), issubclass(KeyboardInterrupt, Exception), issubclass(StopIteration, Exception))
try:
    import no_such_module_at_all
except ImportError as e:
    print("ImportError")
try:
    raise NotImplementedError("todo")
except RuntimeError as e:
    print(type(e).__name__, e)


def nested():
    try:
        try:
            raise TypeError("t")
        finally:
            print("one")
    except TypeError:
        print("two")
        return "three"
    finally:
        print("four")


print(nested())
try:
    raise SystemExit(3)
except SystemExit as e:
    print("exit", e.code)
try:
    int("abc")
except (TypeError, ValueError) as err:
    message = str(err)
print(message)
try:
    None.x
except AttributeError as e:
    print(e)
try:
    none = None
    none()
except TypeError as e:
    print(e)
try:
    for x in 5:
        pass
except TypeError as e:
    print(e)
