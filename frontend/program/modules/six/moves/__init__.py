"""Modules and functions under the names that they have in Python 3."""

import builtins
from . import urllib
from functools import reduce

range, zip, map, filter = range, zip, map, filter
xrange = range
input = raw_input = input
intern = str


def __getattr__(name):
    import importlib
    names = {"cPickle": "pickle", "queue": "queue", "configparser": "configparser",
             "socketserver": "socketserver", "http_client": "http", "copyreg": "copyreg"}
    if name == "StringIO":
        from io import StringIO
        return StringIO
    if name == "reload_module":
        return importlib.reload
    if name in names:
        return importlib.import_module(names[name])
    raise AttributeError("module 'six.moves' has no attribute '" + name + "'")
