from . import weight_norm, remove_weight_norm
