"""diffusers.optimization: the schedules of Transformers."""

from transformers.optimization import get_scheduler as _get_scheduler
from transformers.optimization import get_constant_schedule, get_constant_schedule_with_warmup
from transformers.optimization import get_cosine_schedule_with_warmup
from transformers.optimization import get_linear_schedule_with_warmup
from transformers.optimization import get_polynomial_decay_schedule_with_warmup


def get_scheduler(name, optimizer, step_rules=None, num_warmup_steps=None,
                  num_training_steps=None, num_cycles=1, power=1.0, last_epoch=-1):
    return _get_scheduler(name, optimizer)
