from . import checkpoint_module
