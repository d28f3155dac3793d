"""optax.contrib: optimizers that others gave."""

from optax import (_simple, _whole, scale_by_adam, trace, GradientTransformation)


def schedule_free_adamw(learning_rate=0.0025, warmup_steps=None, b1=0.9, b2=0.999, eps=1e-8,
                        weight_decay=0.0, *args, **kw):
    return _whole("AdamW", learning_rate, [scale_by_adam()], schedule_free=True,
                  weight_decay=weight_decay)


def schedule_free_sgd(learning_rate=1.0, *args, **kw):
    return _whole("SGD", learning_rate, [], schedule_free=True)


def schedule_free(base_optimizer, learning_rate=1.0, *args, **kw):
    return base_optimizer


def schedule_free_eval_params(state, params):
    return params


def muon(learning_rate, *args, **kw):
    return _whole("Muon", learning_rate, [trace(0.95)])


def scale_by_muon(*args, **kw):
    return _simple({"name": "Muon"})


def prodigy(learning_rate=1.0, *args, **kw):
    return _whole("Prodigy", learning_rate, [scale_by_adam()])


def dadapt_adamw(learning_rate=1.0, *args, **kw):
    return _whole("DAdaptAdamW", learning_rate, [scale_by_adam()])


def sophia(learning_rate, *args, **kw):
    return _whole("Sophia", learning_rate, [scale_by_adam()])


def acprop(learning_rate, *args, **kw):
    return _whole("ACProp", learning_rate, [scale_by_adam()])


def ademamix(learning_rate, *args, **kw):
    return _whole("AdEMAMix", learning_rate, [scale_by_adam(), trace(0.9999)])


def cocob(learning_rate=1.0, *args, **kw):
    return _whole("COCOB", learning_rate, [scale_by_adam()])


def dog(learning_rate=1.0, *args, **kw):
    return _whole("DoG", learning_rate, [])


dowg = dog


def momo(learning_rate=1.0, *args, **kw):
    return _whole("Momo", learning_rate, [trace(0.9)])


def momo_adam(learning_rate=1e-2, *args, **kw):
    return _whole("MomoAdam", learning_rate, [scale_by_adam()])


def mechanize(base_optimizer, *args, **kw):
    return base_optimizer


def sam(optimizer, adv_optimizer=None, *args, **kw):
    return optimizer


def reduce_on_plateau(*args, **kw):
    return _simple({})


def split_real_and_imaginary(inner):
    return inner


def complex_valued(wrapped):
    return wrapped


def differentially_private_aggregate(*args, **kw):
    return _simple({})


class _Named:
    """The state of a transformation, for programs that name its class only."""

    def __init__(self, *args, **kw):
        self.__dict__.update(kw)


class DifferentiallyPrivateAggregateState(_Named):
    pass


class ReduceLROnPlateauState(_Named):
    pass


class MuonState(_Named):
    pass


class ScheduleFreeState(_Named):
    pass
