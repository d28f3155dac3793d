from . import Optimizer

required = object()
