"""optax: optimizers as facts, schedules as numbers, losses as ops."""

from typing import Any, NamedTuple

import _tilewise as _t
from jax import _core as _c
from jax import _models
from jax import _tree
from jax import _transforms as _tr
from jax._core import Array, as_array, binary, reduce, unary
from optax import schedules
from optax.schedules import (
    Schedule, constant_schedule, linear_schedule, polynomial_schedule, cosine_decay_schedule,
    exponential_decay, warmup_cosine_decay_schedule, warmup_exponential_decay_schedule,
    warmup_constant_schedule, piecewise_constant_schedule, piecewise_interpolate_schedule,
    join_schedules, cosine_onecycle_schedule, linear_onecycle_schedule, sgdr_schedule, peak_of)
from optax import losses
from optax.losses import *

ScalarOrSchedule = Any


class OptState:
    pass


Params = Any
Updates = Any
Schedule_ = Schedule
Numeric = Any


class EmptyState(NamedTuple):
    pass


class ScaleByAdamState(NamedTuple):
    count: Any
    mu: Any
    nu: Any


class TraceState(NamedTuple):
    trace: Any


class ScaleByRmsState(NamedTuple):
    nu: Any


class ScaleByScheduleState(NamedTuple):
    count: Any


class ScaleByLionState(NamedTuple):
    count: Any
    mu: Any


class EmaState(NamedTuple):
    count: Any
    ema: Any


class FactoredState(NamedTuple):
    count: Any
    v_row: Any
    v_col: Any
    v: Any


class AdditiveWeightDecayState(NamedTuple):
    pass


AddDecayedWeightsState = EmptyState
ClipByGlobalNormState = EmptyState
ClipState = EmptyState
IdentityState = EmptyState
ScaleState = EmptyState
ScaleByTrustRatioState = EmptyState


class MaskedState(NamedTuple):
    inner_state: Any


class MultiStepsState(NamedTuple):
    mini_step: Any
    gradient_step: Any
    inner_opt_state: Any
    acc_grads: Any
    skip_state: Any = ()


class MultiTransformState(NamedTuple):
    inner_states: Any


class MaskedNode(NamedTuple):
    pass


class InjectHyperparamsState(NamedTuple):
    count: Any
    hyperparams: Any
    hyperparams_states: Any
    inner_state: Any


InjectStatefulHyperparamsState = InjectHyperparamsState


class ApplyIfFiniteState(NamedTuple):
    notfinite_count: Any
    last_finite: Any
    total_notfinite: Any
    inner_state: Any


def _zeros(p, dtype=None):
    if not hasattr(p, "shape"):
        return p
    return _c.full(0, p.shape, _c.dtype(dtype) if dtype is not None else _c.dtype(p.dtype))


def _moments(params, dtype=None):
    return _tree.map(lambda p: _zeros(p, dtype), params)


def _code(dtype):
    """tilewise's name of a type; None where none is given."""
    return None if dtype is None or _t.is_unknown(dtype) else _c.dtype(dtype).code


def _count():
    return _c.full(0, (), _c.int32)


class GradientTransformation:
    """A pair of functions; those made here carry what they are in `info`."""

    def __init__(self, init, update, info=None, make_state=None):
        self._init = init
        self._update = update
        self.info = info or _guessed(init, update)
        self._make_state = make_state
        self._said = False

    def __iter__(self):
        yield self.init
        yield self.update

    def __getitem__(self, i):
        return self.init if i == 0 else self.update

    def _replace(self, **kw):
        return GradientTransformation(kw.get("init", self.init), kw.get("update", self.update),
                                      self.info)

    def _asdict(self):
        return {"init": self.init, "update": self.update}

    def _state(self, params):
        if self._make_state is not None:
            return self._make_state(params)
        return EmptyState() if self._init is None else self._init(params)

    def _apply(self, updates, state, params, extra):
        if self._update is None:
            return updates, state
        if extra:
            return self._update(updates, state, params, **extra)
        return self._update(updates, state, params)

    def _say(self):
        if self._said:
            return
        self._said = True
        facts = dict(self.info)
        if facts.get("name") is None:
            facts["name"] = "SGD" if facts.get("lr") is not None else "custom"
        facts.pop("decay_first", None)
        for k in list(facts):
            if facts[k] is None:
                del facts[k]
        steps = facts.pop("accumulation", None)
        _t.record("optimizer", **facts)
        if steps is not None:
            _t.record("accumulation", steps=steps)

    def init(self, params):
        self._say()
        return self._state(_models.known(params))

    def update(self, updates, state=None, params=None, **extra):
        self._say()
        name = self.info.get("name") or ("SGD" if self.info.get("lr") is not None else "custom")
        _t.record("step", by="jax", name=name, optimizer=name, slots=self.info.get("slots", 0))
        _tr._pending[0] = False
        _tr.UPDATES[0] += 1
        new, state = self._apply(updates, state, _models.known(params), extra)
        return new, state


def _guessed(init, update):
    """What a transformation of the program's own does, where a trial shows it."""
    name = getattr(update, "__qualname__", "") if callable(update) else ""
    if not callable(init) or not isinstance(name, str):
        return {}
    if "decay" not in name:
        slots = _slots_of(init)
        return {"name": "custom", "slots": slots} if slots else {}
    try:
        g = {"w": _c.known([[0.0, 0.0], [0.0, 0.0]], _c.float32)}
        p = {"w": _c.known([[1.0, 1.0], [1.0, 1.0]], _c.float32)}
        out = update(g, init(p), p)[0]["w"]
        n = _t.numbers(out._h)
    except (TypeError, ValueError, KeyError, AttributeError, RuntimeError):
        return {}
    return {"weight_decay": n[0][0]} if isinstance(n, list) else {}


def _slots_of(init):
    """How many numbers a transformation keeps for each weight, as a trial shows."""
    try:
        leaves = _tree.leaves(init({"w": _c.known([[0.0] * 5] * 3, _c.float32)}))
    except Exception:
        return 0
    shapes = [getattr(x, "shape", None) for x in leaves]
    return len([s for s in shapes if isinstance(s, tuple) and s == (3, 5)])


GradientTransformationExtraArgs = GradientTransformation
TransformInitFn = Any
TransformUpdateFn = Any


def with_extra_args_support(tx):
    return tx


def _simple(info, make_state=None):
    return GradientTransformation(None, None, info, make_state)


def _merged(parts):
    out = {}
    for p in parts:
        info = getattr(p, "info", {})
        for k in info:
            if k == "name":
                if info[k] not in (None, "SGD"):
                    # What scales gradients before an adaptive step does not scale the step.
                    out.pop("lr", None)
                if info[k] is not None:
                    if out.get("name") is None or out.get("name") in ("SGD",):
                        out["name"] = info[k]
            elif k == "frozen":
                continue
            elif k == "factor":
                out["lr"] = info[k] if out.get("lr") is None else _product(out["lr"], info[k])
            elif k == "weight_decay":
                out["weight_decay"] = info[k]
                if out.get("name") == "Adam":
                    out["name"] = "AdamW"
            else:
                out[k] = info[k]
    return out


def _product(a, b):
    if isinstance(a, (int, float)) and isinstance(b, (int, float)):
        return a * b
    return a if isinstance(a, (int, float)) else b


class _Chain(GradientTransformation):
    def __init__(self, parts, info=None):
        self.parts = list(parts)
        merged = _merged(self.parts)
        merged.update(info or {})
        if merged.get("name") is None and merged.get("momentum") is not None:
            merged["name"] = "SGD"
        self.info = merged
        self._init = None
        self._update = None
        self._make_state = None
        self._said = False

    def _state(self, params):
        return tuple(_state_of(p, params) for p in self.parts)

    def _apply(self, updates, state, params, extra):
        states = []
        own = state if isinstance(state, (tuple, list)) and len(state) == len(self.parts) \
            else [None] * len(self.parts)
        for p, s in zip(self.parts, own):
            if isinstance(p, GradientTransformation):
                updates, s = p._apply(updates, s, params, extra)
            else:
                updates, s = p.update(updates, s, params)
            states.append(s)
        return updates, tuple(states)


def _state_of(p, params):
    return p._state(params) if isinstance(p, GradientTransformation) else p.init(params)


def chain(*parts):
    return _Chain(parts)


def named_chain(*parts):
    return _Chain([p[1] for p in parts])


def identity():
    return _simple({})


def set_to_zero():
    return _simple({"frozen": True})


def _lr(rate):
    if rate is None or isinstance(rate, (int, float)):
        return {"factor": rate}
    n = peak_of(rate)
    info = {"factor": n}
    if callable(rate):
        info["schedule"] = getattr(rate, "kind", None) or getattr(rate, "__name__", "function")
    return info


def scale(step_size):
    n = step_size if isinstance(step_size, (int, float)) else _c.number_or(as_array(step_size),
                                                                           None)
    return _simple({"factor": abs(n)} if n is not None and abs(n) != 1 else {})


def scale_by_learning_rate(learning_rate, *, flip_sign=True):
    return _simple(_lr(learning_rate), lambda p: ScaleByScheduleState(_count()))


def scale_by_schedule(step_size_fn):
    info = _lr(step_size_fn)
    if info["factor"] == 1:
        info["factor"] = None
    if info["factor"] is None:
        del info["factor"]
    return _simple(info, lambda p: ScaleByScheduleState(_count()))


def _adam_like(name):
    def make(b1=0.9, b2=0.999, eps=1e-8, eps_root=0.0, mu_dtype=None, *, nesterov=False, **kw):
        return _simple({"name": name, "b1": b1, "b2": b2, "eps": eps, "mu": _code(mu_dtype)},
                       lambda p: ScaleByAdamState(_count(), _moments(p, mu_dtype), _moments(p)))
    return make


scale_by_adam = _adam_like("Adam")
scale_by_adamax = _adam_like("Adamax")
scale_by_amsgrad = _adam_like("AMSGrad")
scale_by_radam = _adam_like("RAdam")
scale_by_yogi = _adam_like("Yogi")
scale_by_belief = _adam_like("AdaBelief")
scale_by_adan = _adam_like("Adan")


def scale_by_lion(b1=0.9, b2=0.99, mu_dtype=None):
    return _simple({"name": "Lion", "b1": b1, "b2": b2, "mu": _code(mu_dtype)},
                   lambda p: ScaleByLionState(_count(), _moments(p, mu_dtype)))


def scale_by_rms(decay=0.9, eps=1e-8, initial_scale=0.0, **kw):
    return _simple({"name": "RMSprop", "decay": decay}, lambda p: ScaleByRmsState(_moments(p)))


def scale_by_stddev(decay=0.9, eps=1e-8, initial_scale=0.0, **kw):
    return _simple({"name": "RMSprop", "decay": decay}, lambda p: ScaleByRmsState(_moments(p)))


def scale_by_rss(initial_accumulator_value=0.1, eps=1e-7):
    return _simple({"name": "Adagrad"}, lambda p: ScaleByRmsState(_moments(p)))


def scale_by_adadelta(rho=0.9, eps=1e-6):
    return _simple({"name": "Adadelta"}, lambda p: ScaleByRmsState(_moments(p)))


def scale_by_novograd(b1=0.9, b2=0.25, eps=1e-8, eps_root=0.0, weight_decay=0.0, mu_dtype=None):
    return _simple({"name": "NovoGrad", "weight_decay": weight_decay},
                   lambda p: ScaleByLionState(_count(), _moments(p)))


def scale_by_sm3(b1=0.9, b2=1.0, eps=1e-8):
    return _simple({"name": "SM3"}, lambda p: ScaleByRmsState(_moments(p)))


def scale_by_trust_ratio(min_norm=0.0, trust_coefficient=1.0, eps=0.0):
    return _simple({"trust_ratio": True})


def scale_by_param_block_rms(min_scale=1e-3):
    return _simple({"param_scale": True})


def scale_by_param_block_norm(min_scale=1e-3):
    return _simple({"param_scale": True})


def scale_by_factored_rms(factored=True, decay_rate=0.8, step_offset=0,
                          min_dim_size_to_factor=128, epsilon=1e-30, **kw):
    return _simple({"name": "Adafactor"}, lambda p: FactoredState(
        _count(), _tree.map(_row, p), _tree.map(_column, p), _tree.map(_one, p)))


def _row(p):
    return _c.full(0, p.shape[:-1] if len(p.shape) > 1 else (1,), _c.float32)


def _column(p):
    return _c.full(0, p.shape[:-2] + p.shape[-1:] if len(p.shape) > 1 else (1,), _c.float32)


def _one(p):
    return _c.full(0, (1,) if len(p.shape) > 1 else p.shape, _c.float32)


def scale_by_sign():
    return _simple({"name": "SignSGD"})


def scale_by_zoom_linesearch(*args, **kw):
    return _simple({})


def scale_by_lbfgs(*args, **kw):
    return _simple({"name": "L-BFGS"})


def trace(decay, nesterov=False, accumulator_dtype=None):
    return _simple({"momentum": decay, "nesterov": bool(nesterov),
                    "mu": _code(accumulator_dtype)},
                   lambda p: TraceState(_moments(p, accumulator_dtype)))


def ema(decay, debias=True, accumulator_dtype=None):
    return _simple({"momentum": decay}, lambda p: EmaState(_count(), _moments(p)))


def add_decayed_weights(weight_decay=0.0, mask=None):
    return _simple({"weight_decay": _c.number_or(weight_decay, None)
                    if not callable(weight_decay) else peak_of(weight_decay)})


additive_weight_decay = add_decayed_weights


def add_noise(*args, **kw):
    return identity()


def clip(max_delta):
    return _simple({"clip_value": _c.number_or(max_delta, None)})


def clip_by_global_norm(max_norm):
    return _simple({"clip_norm": _c.number_or(max_norm, None)})


def clip_by_block_rms(threshold):
    return _simple({"clip_rms": _c.number_or(threshold, None)})


def adaptive_grad_clip(clipping, eps=1e-3):
    return _simple({"clip_adaptive": _c.number_or(clipping, None)})


def centralize():
    return identity()


def zero_nans():
    return identity()


def keep_params_nonnegative():
    return identity()


def normalize_by_update_norm(*args, **kw):
    return identity()


def freeze(mask):
    return identity()


def stateless(f):
    return GradientTransformation(lambda p: EmptyState(),
                                  lambda u, s, p=None: (f(u, p), s))


def stateless_with_tree_map(f):
    return GradientTransformation(lambda p: EmptyState(), lambda u, s, p=None: (
        _tree.map(f, u, p) if p is not None else _tree.map(lambda g: f(g, None), u), s))


# Optimizers.

def _whole(name, learning_rate, parts, **info):
    parts = list(parts) + [scale_by_learning_rate(learning_rate)]
    info["name"] = name
    return _Chain(parts, info)


def sgd(learning_rate, momentum=None, nesterov=False, accumulator_dtype=None):
    parts = [] if momentum is None else [trace(momentum, nesterov, accumulator_dtype)]
    return _whole("SGD", learning_rate, parts, momentum=momentum or 0.0,
                  nesterov=bool(nesterov))


def noisy_sgd(learning_rate, *args, **kw):
    return _whole("SGD", learning_rate, [])


def sign_sgd(learning_rate):
    return _whole("SignSGD", learning_rate, [])


def adam(learning_rate, b1=0.9, b2=0.999, eps=1e-8, eps_root=0.0, mu_dtype=None, *,
         nesterov=False):
    return _whole("Adam", learning_rate, [scale_by_adam(b1, b2, eps, eps_root, mu_dtype)])


def nadam(learning_rate, b1=0.9, b2=0.999, eps=1e-8, eps_root=0.0, mu_dtype=None, **kw):
    return _whole("Nadam", learning_rate, [scale_by_adam(b1, b2, eps, eps_root, mu_dtype)])


def adamw(learning_rate, b1=0.9, b2=0.999, eps=1e-8, eps_root=0.0, mu_dtype=None,
          weight_decay=1e-4, mask=None, *, nesterov=False):
    return _whole("AdamW", learning_rate, [scale_by_adam(b1, b2, eps, eps_root, mu_dtype),
                                           add_decayed_weights(weight_decay, mask)])


def nadamw(learning_rate, b1=0.9, b2=0.999, eps=1e-8, eps_root=0.0, mu_dtype=None,
           weight_decay=1e-4, mask=None, **kw):
    return adamw(learning_rate, b1, b2, eps, eps_root, mu_dtype, weight_decay, mask)


def adamax(learning_rate, b1=0.9, b2=0.999, eps=1e-8):
    return _whole("Adamax", learning_rate, [scale_by_adamax(b1, b2, eps)])


def adamaxw(learning_rate, b1=0.9, b2=0.999, eps=1e-8, weight_decay=1e-4, mask=None):
    return _whole("Adamax", learning_rate, [scale_by_adamax(b1, b2, eps),
                                            add_decayed_weights(weight_decay)])


def amsgrad(learning_rate, b1=0.9, b2=0.999, eps=1e-8, eps_root=0.0, mu_dtype=None):
    return _whole("AMSGrad", learning_rate, [scale_by_amsgrad(b1, b2, eps)])


def radam(learning_rate, b1=0.9, b2=0.999, eps=1e-8, *args, **kw):
    return _whole("RAdam", learning_rate, [scale_by_radam(b1, b2, eps)])


def yogi(learning_rate, b1=0.9, b2=0.999, eps=1e-3):
    return _whole("Yogi", learning_rate, [scale_by_yogi(b1, b2, eps)])


def adabelief(learning_rate, b1=0.9, b2=0.999, eps=1e-16, eps_root=1e-16, **kw):
    return _whole("AdaBelief", learning_rate, [scale_by_belief(b1, b2, eps)])


def adan(learning_rate, *args, **kw):
    return _whole("Adan", learning_rate, [scale_by_adan()])


def adagrad(learning_rate, initial_accumulator_value=0.1, eps=1e-7):
    return _whole("Adagrad", learning_rate, [scale_by_rss()])


def adadelta(learning_rate=None, rho=0.9, eps=1e-6, weight_decay=0.0, weight_decay_mask=None):
    return _whole("Adadelta", learning_rate, [scale_by_adadelta(rho, eps)],
                  weight_decay=weight_decay)


def rmsprop(learning_rate, decay=0.9, eps=1e-8, initial_scale=0.0, eps_in_sqrt=True,
            centered=False, momentum=None, nesterov=False, bias_correction=False):
    parts = [scale_by_rms(decay, eps)]
    if momentum is not None:
        parts.append(trace(momentum, nesterov))
    return _whole("RMSprop", learning_rate, parts, momentum=momentum or 0.0)


def lamb(learning_rate, b1=0.9, b2=0.999, eps=1e-6, eps_root=0.0, weight_decay=0.0, mask=None):
    return _whole("LAMB", learning_rate, [scale_by_adam(b1, b2, eps, eps_root),
                                          add_decayed_weights(weight_decay),
                                          scale_by_trust_ratio()])


def lars(learning_rate, weight_decay=0.0, weight_decay_mask=True, trust_coefficient=0.001,
         eps=0.0, trust_ratio_mask=True, momentum=0.9, nesterov=False):
    return _whole("LARS", learning_rate, [add_decayed_weights(weight_decay),
                                          scale_by_trust_ratio(), trace(momentum, nesterov)])


def lion(learning_rate, b1=0.9, b2=0.99, mu_dtype=None, weight_decay=1e-3, mask=None):
    return _whole("Lion", learning_rate, [scale_by_lion(b1, b2, mu_dtype),
                                          add_decayed_weights(weight_decay)])


def fromage(learning_rate, min_norm=1e-6):
    return _whole("Fromage", learning_rate, [])


def novograd(learning_rate, b1=0.9, b2=0.25, eps=1e-6, eps_root=0.0, weight_decay=0.0):
    return _whole("NovoGrad", learning_rate, [scale_by_novograd(b1, b2, eps, eps_root,
                                                                weight_decay)])


def sm3(learning_rate, momentum=0.9):
    return _whole("SM3", learning_rate, [scale_by_sm3(momentum)])


def adafactor(learning_rate=None, min_dim_size_to_factor=128, decay_rate=0.8,
              decay_offset=0, multiply_by_parameter_scale=True, clipping_threshold=1.0,
              momentum=None, dtype_momentum=None, weight_decay_rate=None, eps=1e-30,
              factored=True, weight_decay_mask=None):
    return _whole("Adafactor", learning_rate, [scale_by_factored_rms()],
                  momentum=momentum or 0.0, weight_decay=weight_decay_rate or 0.0)


def optimistic_gradient_descent(learning_rate, *args, **kw):
    return _whole("SGD", learning_rate, [])


def dpsgd(learning_rate, l2_norm_clip, noise_multiplier, seed, momentum=None, nesterov=False):
    return sgd(learning_rate, momentum, nesterov)


def lbfgs(learning_rate=None, *args, **kw):
    return _whole("L-BFGS", learning_rate, [])


def polyak_sgd(*args, **kw):
    return _whole("SGD", None, [])


def rprop(learning_rate, *args, **kw):
    return _whole("Rprop", learning_rate, [])


# Wrappers.

class _Wrapped(GradientTransformation):
    def __init__(self, inner, state, info=None):
        self.inner = inner
        self.info = dict(getattr(inner, "info", {}))
        self.info.update(info or {})
        self._wrap_state = state
        self._said = False

    def _state(self, params):
        return self._wrap_state(_state_of(self.inner, params), params)

    def _apply(self, updates, state, params, extra):
        inner = self.inner
        own = getattr(state, "inner_state", getattr(state, "inner_opt_state", None))
        if isinstance(inner, GradientTransformation):
            updates, _ = inner._apply(updates, own, params, extra)
        return updates, state


class MultiSteps(_Wrapped):
    def __init__(self, opt, every_k_schedule, use_grad_mean=True, should_skip_update_fn=None):
        k = every_k_schedule if isinstance(every_k_schedule, int) else peak_of(every_k_schedule)
        super().__init__(opt, lambda s, p: MultiStepsState(_count(), _count(), s, _moments(p)),
                         {"accumulation": int(k) if k is not None else None})

    @property
    def inner_opt(self):
        return self.inner

    def gradient_transformation(self):
        return self

    def has_updated(self, state):
        return _c.known(True, _c.bool_)


def apply_every(k=1):
    return _simple({"accumulation": k}, lambda p: EmaState(_count(), _moments(p)))


def apply_if_finite(inner, max_consecutive_errors):
    return _Wrapped(inner, lambda s, p: ApplyIfFiniteState(_count(), _c.known(True, _c.bool_),
                                                           _count(), s))


def masked(inner, mask, mask_compatible_extra_args=False):
    return _Wrapped(inner, lambda s, p: MaskedState(s))


def flatten(inner):
    return _Wrapped(inner, lambda s, p: s)


def maybe_update(inner, should_update_fn):
    return _Wrapped(inner, lambda s, p: s)


conditionally_mask = maybe_update
conditionally_transform = maybe_update


def lookahead(fast_optimizer, sync_period, slow_step_size, reset_state=False):
    return _Wrapped(fast_optimizer, lambda s, p: s, {"lookahead": sync_period})


class LookaheadParams(NamedTuple):
    fast: Any
    slow: Any

    @classmethod
    def init_synced(cls, params):
        return cls(params, params)


def skip_large_updates(*args, **kw):
    return None


skip_not_finite = skip_large_updates


class _Many(GradientTransformation):
    def __init__(self, transforms, labels):
        self.transforms = transforms
        self._labels = labels
        trained = [t for t in transforms.values() if not getattr(t, "info", {}).get("frozen")]
        infos = sorted((getattr(t, "info", {}) for t in trained),
                       key=lambda i: i.get("name") is None)
        self.info = dict(infos[0]) if infos else {}
        self._said = False
        self._several = len(trained) > 1

    def init(self, params):
        if self._several:
            self._several = False
            most = self._of_most(_models.known(params))
            if most is not None:
                self.info = dict(getattr(most, "info", {}))
            _t.note("of several optimizers for parts of the parameters, "
                    + ("the first" if most is None else "that of the most weights") + " is taken")
        return GradientTransformation.init(self, params)

    def _of_most(self, params):
        """The transformation that most of the weights have; None where that is not known."""
        labels = self._labels(params) if callable(self._labels) else self._labels
        if _t.is_unknown(labels):
            return None
        sizes = {}

        def count(label, part):
            size = sum([x.size for x in _tree.leaves(part) if hasattr(x, "size")])
            sizes[label] = sizes.get(label, 0) + size
        try:
            _tree.map(count, labels, params)
        except (TypeError, ValueError, KeyError, AttributeError):
            return None
        known = {k: n for k, n in sizes.items()
                 if not _t.is_unknown(k) and not _t.is_unknown(n) and k in self.transforms}
        return self.transforms[max(known, key=known.get)] if known else None

    def _state(self, params):
        return MultiTransformState({k: MaskedState(_state_of(t, params))
                                    for k, t in self.transforms.items()})

    def _apply(self, updates, state, params, extra):
        return updates, state


def multi_transform(transforms, param_labels, *, mask_compatible_extra_args=False):
    return _Many(transforms, param_labels)


partition = multi_transform


def inject_hyperparams(inner_factory, static_args=(), hyperparam_dtype=None):
    def make(*args, **kw):
        inner = inner_factory(*args, **kw)
        shown = {}
        for k in kw:
            v = kw[k]
            n = v if isinstance(v, (int, float)) and not isinstance(v, bool) else (
                peak_of(v) if callable(v) else None)
            if n is not None:
                shown[k] = _c.known(float(n), _c.float32)
        if args and "learning_rate" not in shown:
            n = peak_of(args[0])
            if n is not None:
                shown["learning_rate"] = _c.known(float(n), _c.float32)
        return _Wrapped(inner, lambda s, p: InjectHyperparamsState(_count(), dict(shown), {}, s))
    return make


inject_stateful_hyperparams = inject_hyperparams


# Updates.

def apply_updates(params, updates):
    """The parameters: their new values take the place of the old."""
    return _models.known(params)


def incremental_update(new_tensors, old_tensors, step_size):
    return old_tensors


def periodic_update(new_tensors, old_tensors, steps, update_period):
    return old_tensors


def global_norm(updates):
    total = None
    for x in _tree.leaves(updates):
        x = as_array(x)
        s = reduce("sum", binary("multiply", x, x))
        total = s if total is None else binary("add", total, s)
    return unary("sqrt", total) if total is not None else _c.known(0.0, _c.float32)


def safe_norm(x, min_norm, ord=None, axis=None, keepdims=False):
    return _c.binary("maximum", reduce("l2", x, axis, keepdims), min_norm)


def safe_root_mean_squares(x, min_rms):
    x = as_array(x)
    return binary("maximum", unary("sqrt", reduce("mean", binary("multiply", x, x))), min_rms)


def safe_int32_increment(count):
    return as_array(count) + 1


safe_increment = safe_int32_increment


def bias_correction(moment, decay, count):
    return moment


tree_bias_correction = bias_correction


def update_moment(updates, moments, decay, order):
    return moments


tree_update_moment = update_moment


def update_infinity_moment(updates, moments, decay, eps):
    return moments


def tree_map_params(initable, f, state, *rest, transform_non_params=None, is_leaf=None):
    return state


def per_example_global_norm_clip(grads, l2_norm_clip):
    return grads, _count()


class tree_utils:
    tree_map_params = staticmethod(tree_map_params)

    @staticmethod
    def tree_zeros_like(tree, dtype=None):
        return _moments(tree, dtype)

    @staticmethod
    def tree_l2_norm(tree, squared=False):
        r = global_norm(tree)
        return binary("multiply", r, r) if squared else r

    @staticmethod
    def tree_get(tree, key, default=None, filtering=None):
        return default

    @staticmethod
    def tree_set(tree, filtering=None, **kw):
        return tree

    @staticmethod
    def tree_cast(tree, dtype):
        return tree if dtype is None else _tree.map(lambda x: _c.convert(x, dtype), tree)


tree = tree_utils


from optax import contrib
from optax import transforms
from optax import _src
