from . import AdvancedProfiler
