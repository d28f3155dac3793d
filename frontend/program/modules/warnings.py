"""Warnings that nobody sees."""


def warn(*args, **kwargs):
    pass


warn_explicit = showwarning = filterwarnings = simplefilter = resetwarnings = warn


def formatwarning(message, category=None, *args, **kwargs):
    return str(message)


class catch_warnings:
    def __init__(self, *, record=False, **kwargs):
        self._record = record

    def __enter__(self):
        return [] if self._record else None

    def __exit__(self, *excinfo):
        pass


def deprecated(message, **kwargs):
    return lambda thing: thing
