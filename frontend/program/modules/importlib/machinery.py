from importlib.util import ModuleSpec, _Loader

SourceFileLoader = PathFinder = _Loader
SOURCE_SUFFIXES = [".py"]
