"""Types in which layers compute and keep their weights."""

import _tilewise
from tensorflow._dtypes import as_dtype
from tensorflow._public import state


class DTypePolicy:
    """"mixed_bfloat16" computes in bf16 and keeps f32; the name of a type does both in it."""

    def __init__(self, name="float32", source_name=None, **ignored):
        if hasattr(name, "name"):
            name = name.name
        self.name = self._name = name
        self.quantization_mode = None
        if name.startswith("mixed_"):
            self.compute_dtype, self.variable_dtype = name[len("mixed_"):], "float32"
        else:
            self.compute_dtype = self.variable_dtype = name
        self.compute = as_dtype(self.compute_dtype).code
        self.variable = as_dtype(self.variable_dtype).code
        self.autocast = self.compute if self.compute != self.variable else None
        self.loss_scale = None

    def get_config(self):
        return {"name": self.name}

    @classmethod
    def from_config(cls, config):
        return cls(**config)

    def __eq__(self, other):
        return self.name == getattr(other, "name", other)

    def __hash__(self):
        return hash(self.name)

    def __repr__(self):
        return '<DTypePolicy "' + self.name + '">'


class FloatDTypePolicy(DTypePolicy):
    pass


class DTypePolicyMap(dict):
    pass


Policy = DTypePolicy
_known = {}
_now = [None]


def policy_of(dtype):
    """The policy that a layer's argument `dtype` names; None: what holds for all."""
    if dtype is None:
        return get()
    if isinstance(dtype, DTypePolicy):
        return dtype
    if _tilewise.is_unknown(dtype):
        return get()
    if isinstance(dtype, dict):
        dtype = dtype.get("config", {}).get("name", "float32")
    name = dtype if isinstance(dtype, str) else getattr(dtype, "name", None) or \
        as_dtype(dtype).name
    if name not in _known:
        _known[name] = DTypePolicy(name)
    return _known[name]


def get():
    if _now[0] is None:
        _now[0] = DTypePolicy(floatx())
    return _now[0]


def set(policy):
    if policy is None:
        _now[0] = None
        return
    _now[0] = policy_of(policy)
    _tilewise.record("precision", policy=_now[0].name)


def floatx():
    return state.floatx or "float32"


def set_floatx(value):
    state.floatx = value
    _now[0] = None
