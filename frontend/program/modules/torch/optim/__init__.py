"""torch.optim: groups of weights and their numbers; a step is recorded, not computed."""

import _tilewise
from .._tensor import Handle, Tensor, state


def _why_unknown(params):
    """Why weights, groups of them or a list of them are not known, for the end of a sentence."""
    for held in (params, _tilewise.open_count(params)):
        if _tilewise.is_unknown(held):
            return ": " + _tilewise.reason(held)
    if isinstance(params, dict):
        return _why_unknown(params.get("params"))
    if isinstance(params, (list, tuple)) and params:
        return _why_unknown(params[0])
    return ""


class Optimizer:
    def __init__(self, params, defaults):
        self.defaults = defaults
        self.param_groups, self.state = [], _OfWeights()
        groups = _listed(params)
        if groups and isinstance(groups[0], tuple):
            groups = [p for _, p in groups]
        if not groups or not isinstance(groups[0], dict):
            groups = [{"params": groups}]
        for group in groups:
            if isinstance(group, dict):
                self.add_param_group(group)
        if not self.param_groups:
            self.add_param_group({"params": []})
        first = self.param_groups[0]
        numbers = {}
        for name in first:
            value = first[name]
            if name != "params" and isinstance(value, (int, float, tuple)):
                numbers[name] = list(value) if isinstance(value, tuple) else value
        decays = [g["weight_decay"] for g in self.param_groups if g.get("weight_decay")]
        if decays:  # groups without are common
            numbers["weight_decay"] = decays[0]
        trained = [p._h for g in self.param_groups for p in g["params"] if isinstance(p, Tensor)]
        if not trained:
            why = _why_unknown(params)
            _tilewise.note("the weights that this optimizer changes are not known" + why)
        _tilewise.record("optimizer", name=self._kind(), parameters=trained, **numbers)
        if type(self).step is not Optimizer.step:
            # What an optimizer of the program's own computes is not followed.
            self.step = lambda closure=None: Optimizer.step(self, closure)

    def _kind(self):
        for kind in type(self).__mro__:
            if kind.__name__ in _NAMES:
                return kind.__name__
        return type(self).__name__

    def add_param_group(self, param_group):
        group = dict(self.defaults)
        group.update(param_group)
        params = group.get("params", [])
        group["params"] = [params] if isinstance(params, Tensor) else _listed(params)
        if group["params"] and isinstance(group["params"][0], tuple):
            group["params"] = [p for _, p in group["params"]]
        if not state.parameters:
            for p in group["params"]:
                _become_weight(p)
        group.setdefault("initial_lr", group.get("lr"))
        self.param_groups.append(group)

    def step(self, closure=None):
        loss = closure() if closure is not None else None
        state.stepped = True
        changed = [p._h for g in self.param_groups for p in g["params"] if isinstance(p, Tensor)]
        _tilewise.record("step", by="torch", optimizer=self._kind(), name=self._kind(),
                         parameters=changed)
        return loss

    def __tilewise_passed__(self, arguments):
        """What is not read and is given a loss with its optimizer is taken to do the update."""
        for loss in arguments:
            if (not _tilewise.is_unknown(loss) and isinstance(loss, Tensor) and loss.dim() == 0
                    and loss.is_floating_point()):
                _tilewise.note("what is called here is not known; it is given a loss and an "
                               "optimizer, and taken to do the update")
                loss.backward()
                self.step()
                return

    def zero_grad(self, set_to_none=True):
        pass

    def state_dict(self):
        return {"state": {}, "param_groups": self.param_groups}

    def load_state_dict(self, state_dict):
        pass

    def register_step_pre_hook(self, hook):
        return Handle()

    register_step_post_hook = register_step_pre_hook

    def __setstate__(self, state):
        pass


def _listed(params):
    if _tilewise.is_unknown(params):
        return []
    params = list(params.values()) if isinstance(params, dict) else list(params)
    return [p for p in params if not _tilewise.is_unknown(p)]


def _become_weight(x):
    """In a program without layers, the plain tensors that are trained are its weights."""
    if isinstance(x, Tensor) and not _tilewise.is_unknown(x._h) and \
            not _tilewise.is_weight(x._h):
        x._h = _tilewise.weight(list(_tilewise.shape(x._h)), _tilewise.dtype(x._h), "", True)
        x.requires_grad = True


class _OfWeights(dict):
    """States of weights, made when they are asked for."""

    def __missing__(self, key):
        self[key] = {}
        return self[key]


_TABLE = {
    "SGD": (("lr", 1e-3), ("momentum", 0), ("dampening", 0), ("weight_decay", 0),
            ("nesterov", False)),
    "Adam": (("lr", 1e-3), ("betas", (0.9, 0.999)), ("eps", 1e-8), ("weight_decay", 0),
             ("amsgrad", False)),
    "AdamW": (("lr", 1e-3), ("betas", (0.9, 0.999)), ("eps", 1e-8), ("weight_decay", 1e-2),
              ("amsgrad", False)),
    "NAdam": (("lr", 2e-3), ("betas", (0.9, 0.999)), ("eps", 1e-8), ("weight_decay", 0),
              ("momentum_decay", 4e-3)),
    "RAdam": (("lr", 1e-3), ("betas", (0.9, 0.999)), ("eps", 1e-8), ("weight_decay", 0)),
    "Adamax": (("lr", 2e-3), ("betas", (0.9, 0.999)), ("eps", 1e-8), ("weight_decay", 0)),
    "SparseAdam": (("lr", 1e-3), ("betas", (0.9, 0.999)), ("eps", 1e-8)),
    "Adagrad": (("lr", 1e-2), ("lr_decay", 0), ("weight_decay", 0),
                ("initial_accumulator_value", 0), ("eps", 1e-10)),
    "Adadelta": (("lr", 1.0), ("rho", 0.9), ("eps", 1e-6), ("weight_decay", 0)),
    "Adafactor": (("lr", 1e-2), ("beta2_decay", -0.8), ("eps", (None, 1e-3)), ("d", 1.0),
                  ("weight_decay", 0)),
    "RMSprop": (("lr", 1e-2), ("alpha", 0.99), ("eps", 1e-8), ("weight_decay", 0),
                ("momentum", 0), ("centered", False)),
    "Rprop": (("lr", 1e-2), ("etas", (0.5, 1.2)), ("step_sizes", (1e-6, 50))),
    "ASGD": (("lr", 1e-2), ("lambd", 1e-4), ("alpha", 0.75), ("t0", 1e6), ("weight_decay", 0)),
    "LBFGS": (("lr", 1.0), ("max_iter", 20), ("history_size", 100)),
}
_NAMES = set(_TABLE)


def _optimizer(name, fields):
    class Kind(Optimizer):
        def __init__(self, params, *args, **kwargs):
            defaults = dict(fields)
            for (field, _), value in zip(fields, args):
                defaults[field] = value
            defaults.update(kwargs)
            for extra in ("foreach", "fused", "capturable", "maximize", "differentiable"):
                defaults.pop(extra, None)
            Optimizer.__init__(self, params, defaults)
    Kind.__name__ = Kind.__qualname__ = name
    return Kind


(SGD, Adam, AdamW, NAdam, RAdam, Adamax, SparseAdam, Adagrad, Adadelta, Adafactor, RMSprop, Rprop,
 ASGD, LBFGS) = [_optimizer(name, fields) for name, fields in _TABLE.items()]

from . import lr_scheduler, optimizer, swa_utils
