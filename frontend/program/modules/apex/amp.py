"""Mixed precision; on a TPU its type is bfloat16."""

import _tilewise
import torch
from torch._tensor import bfloat16, state


def initialize(models, optimizers=None, enabled=True, opt_level="O1", **options):
    if enabled and opt_level != "O0":
        state.cast = bfloat16.code
        _tilewise.record("autocast", dtype=state.cast)
    return models if optimizers is None else (models, optimizers)


class scale_loss:
    def __init__(self, loss, optimizers, *args, **options):
        self.loss = loss

    def __enter__(self):
        return self.loss

    def __exit__(self, *error):
        return False


class disable_casts(torch.autocast):
    def __init__(self):
        torch.autocast.__init__(self, enabled=False)


def master_params(optimizer):
    for group in optimizer.param_groups:
        for parameter in group["params"]:
            yield parameter


def _same(function):
    return function


half_function = float_function = promote_function = _same


def register_half_function(module, name):
    pass


register_float_function = register_promote_function = register_half_function


def init(enabled=True, **options):
    pass


def state_dict(destination=None):
    return {}


def load_state_dict(state_dict):
    pass
