"""Automatic mixed precision. On a TPU its type is bfloat16."""

import _tilewise
from .._tensor import bfloat16, state


class autocast:
    def __init__(self, device_type="xla", dtype=None, enabled=True, cache_enabled=None):
        self.kind = bfloat16 if dtype is None else dtype
        self.enabled = enabled

    def __enter__(self):
        self.before = state.cast
        state.cast = self.kind.code if self.enabled and self.kind.itemsize == 2 else None
        if state.cast is not None:
            _tilewise.record("autocast", dtype=state.cast)
        return self

    def __exit__(self, *error):
        state.cast = self.before
        return False

    def __call__(self, function):
        def wrapped(*args, **kwargs):
            self.__enter__()
            result = function(*args, **kwargs)
            self.__exit__()
            return result
        return wrapped


class GradScaler:
    def __init__(self, device="cuda", init_scale=65536.0, growth_factor=2.0, backoff_factor=0.5,
                 growth_interval=2000, enabled=True):
        self.enabled = enabled

    def scale(self, outputs):
        return outputs

    def step(self, optimizer, *args, **kwargs):
        return optimizer.step(*args, **kwargs)

    def update(self, new_scale=None):
        pass

    def unscale_(self, optimizer):
        pass

    def get_scale(self):
        return 1.0

    def is_enabled(self):
        return False

    def state_dict(self):
        return {"scale": 1.0, "growth_factor": 2.0, "backoff_factor": 0.5,
                "growth_interval": 2000, "_growth_tracker": 0}

    def load_state_dict(self, state_dict):
        pass


def custom_fwd(function=None, **options):
    return (lambda f: f) if function is None else function


custom_bwd = custom_fwd


def is_autocast_available(device_type):
    return True
