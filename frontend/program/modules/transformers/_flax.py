"""Models of Flax: the network of PyTorch of the same name, called with parameters from outside."""

import _tilewise
from jax import _core as _c
from torch import _tensor as _t
from torch.nn import Embedding, LayerNorm
from transformers import _networks

_LOADED = ("from_pt", "seed", "_do_init", "input_shape", "dtype")
_made = {}


def find(name):
    """The class `FlaxBertForMaskedLM`, or None."""
    if name not in _made:
        network = _networks.find(name[4:])
        if network is None:
            return None
        _made[name] = type(name, (FlaxPreTrainedModel,), {"_network": network,
                                                          "__module__": "transformers"})
    return _made[name]


def _leaf_name(module, name):
    if name != "weight":
        return name
    if isinstance(module, Embedding):
        return "embedding"
    return "scale" if isinstance(module, LayerNorm) else "kernel"


def _parts(network):
    """The parameters by the path that Flax would have them at."""
    found, kinds = {}, dict(network.named_modules())
    for name, parameter in network.named_parameters():
        place, _, last = name.rpartition(".")
        path = tuple(place.split(".")) if place else ()
        found[path + (_leaf_name(kinds.get(place), last),)] = parameter
    return found


def _to_torch(value):
    if isinstance(value, (list, tuple)):
        return type(value)([_to_torch(v) for v in value])
    return _t.wrap(_c.as_array(value)._h) if isinstance(value, _c.Array) or \
        hasattr(value, "_values") else value


class FlaxPreTrainedModel:
    _network = None

    def __init__(self, config=None, input_shape=None, seed=0, dtype=None, _do_init=True,
                 gradient_checkpointing=False, **kwargs):
        make = getattr(self._network, "from_config", self._network)
        self._hold(make(config), dtype, _do_init)

    def _hold(self, network, dtype, own_parameters=True):
        self._net, self.config = network, network.config
        self.dtype = _c.dtype(dtype)
        self._paths = _parts(network)
        self._given = None
        self.module = self
        self._keeps = own_parameters

    @classmethod
    def _loaded(cls, network, kwargs):
        if _tilewise.is_unknown(network):
            _tilewise.note(_tilewise.reason(network))
            return network
        made = cls.__new__(cls)
        made._hold(network, kwargs.get("dtype"), kwargs.get("_do_init", True))
        return made if made._keeps else (made, made.init_weights())

    @classmethod
    def from_pretrained(cls, *args, **kwargs):
        options = {k: v for k, v in kwargs.items() if k not in _LOADED}
        return cls._loaded(cls._network.from_pretrained(*args, **options), kwargs)

    @classmethod
    def from_config(cls, config, **kwargs):
        return cls._loaded(cls._network.from_config(config), kwargs)

    _from_config = from_config

    def init_weights(self, rng=None, input_shape=None, params=None):
        from flax.traverse_util import unflatten_dict
        return unflatten_dict({k: _c.new(p._h) for k, p in self._paths.items()})

    init = init_weights

    @property
    def params(self):
        if self._given is None:
            self._given = self.init_weights()
        return self._given

    @params.setter
    def params(self, value):
        self._given = value

    @property
    def params_shape_tree(self):
        return self.init_weights()

    def enable_gradient_checkpointing(self):
        self._net.gradient_checkpointing_enable()

    def __call__(self, *args, params=None, train=False, dropout_rng=None, rngs=None,
                 mutable=None, **kwargs):
        names = (self._net.main_input_name, "attention_mask", "token_type_ids", "position_ids")
        kwargs.update(zip(names, args))
        return self._run(self.params if params is None else params, train, kwargs)

    def apply(self, variables, *args, deterministic=True, rngs=None, mutable=None, **kwargs):
        params = variables["params"] if "params" in variables else variables
        return self(*args, params=params, train=not deterministic, **kwargs)

    def _run(self, params, train, given):
        """The network with these parameters in the place of its own."""
        from flax.traverse_util import flatten_dict
        flat = flatten_dict(dict(params))
        before = [(p, p._h) for p in self._paths.values()]
        self._net.train(bool(train))
        try:
            for path, parameter in self._paths.items():
                if path in flat:
                    parameter._h = flat[path]._h
            with _networks.Cast(self.dtype.short):
                out = self._net(**{k: _to_torch(v) for k, v in given.items()})
            return _networks.given(out, _c.new)
        finally:
            for parameter, h in before:
                parameter._h = h

    def save_pretrained(self, *args, **kwargs):
        pass

    push_to_hub = save_pretrained
