"""flax.training.checkpoints: nothing is saved, and what is restored is what is given."""

import _tilewise as _t


def save_checkpoint(*args, **kw):
    return ""


def save_checkpoint_multiprocess(*args, **kw):
    return ""


def restore_checkpoint(ckpt_dir, target=None, *args, **kw):
    return _t.unknown("what a checkpoint holds") if target is None else target


def latest_checkpoint(*args, **kw):
    return None


def convert_pre_linen(params):
    return params


def available_steps(*args, **kw):
    return []
