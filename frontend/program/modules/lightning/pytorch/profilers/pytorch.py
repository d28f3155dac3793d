from . import PyTorchProfiler
