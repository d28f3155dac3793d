"""Optimizers of transformers, and schedules of the learning rate."""

from torch.optim import AdamW as _AdamW, Optimizer
from torch.optim.lr_scheduler import LRScheduler


class AdamW(_AdamW):
    def __init__(self, params, lr=1e-3, betas=(0.9, 0.999), eps=1e-6, weight_decay=0.0,
                 correct_bias=True, no_deprecation_warning=False):
        _AdamW.__init__(self, params, lr=lr, betas=betas, eps=eps, weight_decay=weight_decay)


class Adafactor(Optimizer):
    def __init__(self, params, lr=None, eps=(1e-30, 1e-3), clip_threshold=1.0, decay_rate=-0.8,
                 beta1=None, weight_decay=0.0, scale_parameter=True, relative_step=True,
                 warmup_init=False):
        Optimizer.__init__(self, params, {"lr": lr, "weight_decay": weight_decay})


class _Schedule(LRScheduler):
    pass


def get_scheduler(name, optimizer, num_warmup_steps=None, num_training_steps=None,
                  scheduler_specific_kwargs=None):
    return _Schedule(optimizer)


def _any(optimizer, *args, **kwargs):
    return _Schedule(optimizer)


get_constant_schedule = get_constant_schedule_with_warmup = get_linear_schedule_with_warmup = _any
get_cosine_schedule_with_warmup = get_polynomial_decay_schedule_with_warmup = _any
get_cosine_with_hard_restarts_schedule_with_warmup = get_inverse_sqrt_schedule = _any
get_wsd_schedule = get_cosine_with_min_lr_schedule_with_warmup = AdafactorSchedule = _any
TYPE_TO_SCHEDULER_FUNCTION = {}
