"""The batch that names of a program say: `batch_size`, `config.train_batch_size`."""

import _tilewise as _t

_BATCHES = ("train_batch_size", "batch_size", "global_batch_size", "training_batch_size",
            "batchsize", "bsz", "BATCH_SIZE", "TRAIN_BATCH_SIZE", "batch")
_PER_CORE = ("per_device_train_batch_size", "per_device_batch_size", "device_batch_size",
             "batch_size_per_device", "per_core_batch_size")
_HOLDERS = ("config", "cfg", "conf", "c", "args", "flags", "FLAGS", "opt", "opts", "hps",
            "hparams", "params", "self", "options", "settings", "training", "train", "data",
            "dataset", "trainer", "optim", "experiment", "model_config")


def stated(mapped=False):
    """(name, examples of one step; those of a device where `mapped`), as the program's own lines
    have it; ("", None): no name says it."""
    seen = _t.visible()
    for holders in ((), _HOLDERS):
        for per_core, names in ((False, _BATCHES), (True, _PER_CORE)):
            found = _named(seen, names, holders)
            if found is None:
                continue
            name, size = found
            if per_core and not mapped:
                size *= _t.replicas(False)
            elif mapped and not per_core:
                size = max(1, size // _t.replicas(False))
            return name, size
    return "", None


def _named(seen, names, holders):
    for wanted in names:
        for name, value in seen:
            if not holders and name == wanted and _is_size(value):
                return name, value
    for name, value in seen:
        if name not in holders:
            continue
        for part, held in [("", value)] + [(p, _part(value, p)) for p in holders]:
            for wanted in names:
                size = _part(held, wanted)
                if _is_size(size):
                    return ".".join([x for x in (name, part, wanted) if x]), size
    return None


def _is_size(x):
    return not _t.is_unknown(x) and type(x) is int and x > 0


def _part(holder, name):
    if _t.is_unknown(holder) or holder is None or isinstance(holder, type(_t)):
        return None
    if isinstance(holder, dict) or hasattr(holder, "keys") and hasattr(holder, "items"):
        return holder[name] if name in holder else None
    if hasattr(holder, "_h"):  # a tensor
        return None
    try:
        return getattr(holder, name, None)
    except Exception:
        return None
