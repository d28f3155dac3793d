"""Optimizers by name."""

import _tilewise
from torch import optim

_NAMES = {"sgd": "SGD", "nesterov": "SGD", "momentum": "SGD", "adam": "Adam", "adamw": "AdamW",
          "nadam": "NAdam", "radam": "RAdam", "adamax": "Adamax", "rmsprop": "RMSprop",
          "adadelta": "Adadelta", "adagrad": "Adagrad", "adafactor": "Adafactor",
          "rmsproptf": "RMSprop"}


def _kind(name):
    class Kind(optim.Optimizer):
        def __init__(self, params, lr=1e-3, betas=(0.9, 0.999), eps=1e-6, weight_decay=0.0,
                     **options):
            optim.Optimizer.__init__(self, params, dict(lr=lr, betas=betas, eps=eps,
                                                        weight_decay=weight_decay))

        def _kind(self):
            return name
    Kind.__name__ = Kind.__qualname__ = name
    return Kind


Lamb, Lars, Lion, AdamP, SGDP, Lookahead, MADGRAD = [_kind(n) for n in (
    "Lamb", "Lars", "Lion", "AdamP", "SGDP", "Lookahead", "MADGRAD")]
AdamW, NAdam, RAdam, Adafactor, RMSpropTF = (
    optim.AdamW, optim.NAdam, optim.RAdam, optim.Adafactor, optim.RMSprop)


def optimizer_kwargs(cfg):
    made = {"opt": cfg.opt, "lr": cfg.lr, "weight_decay": cfg.weight_decay,
            "momentum": cfg.momentum}
    betas = getattr(cfg, "opt_betas", None)
    if betas is not None:
        made["betas"] = betas
    return made


def param_groups_weight_decay(model, weight_decay=1e-5, no_weight_decay_list=()):
    decayed, others = [], []
    for name, p in model.named_parameters():
        if p.requires_grad:
            short = p.dim() <= 1 or name.endswith(".bias") or name in no_weight_decay_list
            (others if short else decayed).append(p)
    return [{"params": others, "weight_decay": 0.0},
            {"params": decayed, "weight_decay": weight_decay}]


add_weight_decay = param_groups_weight_decay


def create_optimizer_v2(model_or_params, opt="sgd", lr=None, weight_decay=0.0, momentum=0.9,
                        filter_bias_and_bn=True, **options):
    name = str(opt).lower().split("_")[-1]
    params = model_or_params
    if hasattr(params, "named_parameters"):
        params = param_groups_weight_decay(params, weight_decay) if weight_decay and \
            filter_bias_and_bn else params.parameters()
    given = {"weight_decay": weight_decay}
    if lr is not None:
        given["lr"] = lr
    if "betas" in options:
        given["betas"] = options["betas"]
    if name in ("lamb", "lars", "lion", "adamp", "sgdp", "madgrad"):
        return globals()[{"adamp": "AdamP", "sgdp": "SGDP", "madgrad": "MADGRAD"}.get(
            name, name.capitalize())](params, **given)
    if name not in _NAMES:
        return _tilewise.unknown("the optimizer " + name)
    if name in ("sgd", "nesterov", "momentum"):
        given["momentum"] = momentum
        given["nesterov"] = name != "momentum"
        given.pop("betas", None)
    return getattr(optim, _NAMES[name])(params, **given)


def create_optimizer(args, model, filter_bias_and_bn=True):
    return create_optimizer_v2(model, filter_bias_and_bn=filter_bias_and_bn,
                               **optimizer_kwargs(args))


class optim_factory:
    """The older place of these functions."""
    create_optimizer, create_optimizer_v2 = (
        staticmethod(create_optimizer), staticmethod(create_optimizer_v2))
    add_weight_decay = param_groups_weight_decay = staticmethod(param_groups_weight_decay)
    optimizer_kwargs = staticmethod(optimizer_kwargs)
