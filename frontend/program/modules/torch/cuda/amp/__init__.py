from ...amp import GradScaler, custom_bwd, custom_fwd
from ...amp import autocast as _autocast


class autocast(_autocast):
    def __init__(self, enabled=True, dtype=None, cache_enabled=True):
        _autocast.__init__(self, "cuda", dtype, enabled)
