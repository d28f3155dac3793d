from . import SimpleProfiler
