from . import __getattr__
