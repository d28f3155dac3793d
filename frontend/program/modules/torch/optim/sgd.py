from . import SGD
