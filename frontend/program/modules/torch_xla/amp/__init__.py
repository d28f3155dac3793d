from torch import bfloat16, optim
from torch.amp import GradScaler
from torch.amp import autocast as _autocast


class autocast(_autocast):
    def __init__(self, device=None, enabled=True, dtype=bfloat16, cache_enabled=True):
        _autocast.__init__(self, "xla", dtype, enabled)


class syncfree:
    SGD, Adam, AdamW = optim.SGD, optim.Adam, optim.AdamW
