"""Logging that writes nothing."""

CRITICAL = FATAL = 50
ERROR = 40
WARNING = WARN = 30
INFO = 20
DEBUG = 10
NOTSET = 0
_NAMES = {50: "CRITICAL", 40: "ERROR", 30: "WARNING", 20: "INFO", 10: "DEBUG", 0: "NOTSET"}
raiseExceptions = False


def _nothing(*args, **kwargs):
    return None


class Filter:
    def __init__(self, name=""):
        self.name = name

    def filter(self, record):
        return True


class Filterer:
    def addFilter(self, one):
        pass

    removeFilter = addFilter


class Formatter:
    def __init__(self, *args, **kwargs):
        pass

    def format(self, record):
        return ""

    formatTime = formatException = format


class Handler(Filterer):
    def __init__(self, *args, **kwargs):
        self.level = 0
        self.formatter = None

    def setLevel(self, level):
        self.level = level

    def setFormatter(self, formatter):
        self.formatter = formatter

    def emit(self, record):
        pass

    flush = close = handle = acquire = release = _nothing


class StreamHandler(Handler):
    pass


class FileHandler(StreamHandler):
    def __init__(self, filename, mode="a", *args, **kwargs):
        super().__init__()
        self.baseFilename, self.mode = filename, mode


class NullHandler(Handler):
    pass


class Logger(Filterer):
    def __init__(self, name, level=0):
        self.name = name
        self.level = level
        self.parent = None
        self.handlers = []
        self.filters = []
        self.propagate = True
        self.disabled = False

    def setLevel(self, level):
        self.level = level

    def getEffectiveLevel(self):
        return self.level or WARNING

    def isEnabledFor(self, level):
        return False

    def addHandler(self, handler):
        self.handlers.append(handler)

    def removeHandler(self, handler):
        if handler in self.handlers:
            self.handlers.remove(handler)

    def hasHandlers(self):
        return bool(self.handlers)

    def getChild(self, name):
        return getLogger(f"{self.name}.{name}")

    def debug(self, *args, **kwargs):
        pass

    info = warning = warn = error = critical = fatal = log = handle = debug

    def exception(self, *args, **kwargs):
        import traceback
        traceback.format_exc()

    warning_once = info_once = debug


class LoggerAdapter(Logger):
    def __init__(self, logger, extra=None, **kwargs):
        super().__init__(logger.name)
        self.logger = logger
        self.extra = extra


class LogRecord:
    pass


root = Logger("root", WARNING)
_loggers = {}


class Manager:
    loggerDict = _loggers


Logger.manager = Manager()
Logger.root = root


def getLogger(name=None):
    if not name:
        return root
    if name not in _loggers:
        _loggers[name] = Logger(name)
    return _loggers[name]


def getLevelName(level):
    if isinstance(level, str):
        for number, name in _NAMES.items():
            if name == level:
                return number
    return _NAMES.get(level, f"Level {level}")


def getLoggerClass():
    return Logger


basicConfig = disable = captureWarnings = addLevelName = setLoggerClass = shutdown = _nothing
debug = info = warning = warn = error = critical = fatal = log = _nothing
exception = root.exception
lastResort = None
