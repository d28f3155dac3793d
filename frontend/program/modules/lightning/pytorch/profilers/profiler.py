from . import Profiler
