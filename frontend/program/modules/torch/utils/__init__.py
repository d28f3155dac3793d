from . import checkpoint, data
