"""What a program asks of the interpreter itself."""

import _python

argv = getattr(_python, "argv", None) or [""]
path = _python.path
modules = getattr(_python, "modules", None)
if modules is None:
    modules = {}
platform = "linux"
byteorder = "little"
executable = "/usr/bin/python3"
prefix = exec_prefix = base_prefix = "/usr"
version = "3.11.0 (tilewise)"
hexversion = 0x030B00F0
maxsize = 9223372036854775807
maxunicode = 255  # programs go through all characters to find those of a kind
dont_write_bytecode = True
warnoptions = []
meta_path = []
ps1 = ">>> "
last_traceback = None


class _VersionInfo(tuple):
    major, minor, micro, releaselevel, serial = 3, 11, 0, "final", 0


version_info = _VersionInfo((3, 11, 0, "final", 0))


class _Stream:
    encoding = "utf-8"
    errors = "strict"
    closed = False

    def __init__(self, name, number):
        self.name = name
        self._number = number

    def write(self, text):
        if self._number == 1:
            print(text, end="")
        return len(text)

    def writelines(self, lines):
        for line in lines:
            self.write(line)

    def flush(self):
        pass

    def isatty(self):
        return False

    def fileno(self):
        return self._number

    def reconfigure(self, **kwargs):
        pass

    def read(self, size=-1):
        return ""

    readline = read

    def __iter__(self):
        return iter(())


stdin = __stdin__ = _Stream("<stdin>", 0)
stdout = __stdout__ = _Stream("<stdout>", 1)
stderr = __stderr__ = _Stream("<stderr>", 2)


class flags:
    debug = optimize = verbose = 0


class implementation:
    name = "cpython"
    cache_tag = "cpython-311"


class float_info:
    max = 1.7976931348623157e308
    min = 2.2250738585072014e-308
    epsilon = 2.220446049250313e-16
    dig = 15


def exit(code=None):
    raise SystemExit(code)


def getrecursionlimit():
    return 1000


def setrecursionlimit(limit):
    pass


def getdefaultencoding():
    return "utf-8"


def getfilesystemencoding():
    return "utf-8"


def getsizeof(thing, default=0):
    import _tilewise
    return _tilewise.unknown("the size of a Python object")


def intern(text):
    return text


def exc_info():
    try:
        error = __handled__
    except NameError:
        error = None
    return (None, None, None) if error is None else (type(error), error, None)


def gettrace():
    return None


def settrace(function):
    pass


def getrefcount(thing):
    return 2


def excepthook(kind, value, trace):
    pass
