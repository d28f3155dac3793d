from . import XLAProfiler
