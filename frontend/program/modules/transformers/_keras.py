"""Models of TensorFlow: the network of PyTorch of the same name, as a model of Keras."""

import _tilewise
from keras._model import Model
from tensorflow import _tensor as _x
from tensorflow._public import state
from torch import _tensor as _t
from transformers import _batch, _networks
from transformers.modeling_outputs import ModelOutput

_INPUTS = ("attention_mask", "token_type_ids", "position_ids")
_LOADED = ("from_pt", "use_cdn", "load_weight_prefix", "name", "trainable")
_made = {}


def find(name):
    """The class `TFRobertaModel`, or None."""
    if name not in _made:
        own = name[2:]
        network = _networks.find(own)
        if network is None:
            return None
        base = _Auto if own.startswith("AutoModel") else TFPreTrainedModel
        _made[name] = type(name, (base,), {"_network": network, "__module__": "transformers"})
    return _made[name]


class _Auto:
    """An auto class: the network says which model it is."""
    _network = None

    @classmethod
    def from_pretrained(cls, *args, **kwargs):
        return _loaded(None, cls._network, args, kwargs)

    @classmethod
    def from_config(cls, config, **kwargs):
        return _model_of(cls._network.from_config(config))

    _from_config = from_config


def _loaded(kind, network, args, kwargs):
    """What from_pretrained() gives; Keras' own arguments are those of the layer."""
    own = {k: v for k, v in kwargs.items() if k not in _LOADED}
    made = _model_of(network.from_pretrained(*args, **own), kind, kwargs.get("name"))
    if not _tilewise.is_unknown(made) and kwargs.get("trainable") is not None:
        made.trainable = kwargs["trainable"]
    return made


def _model_of(network, kind=None, name=None):
    if _tilewise.is_unknown(network):
        _tilewise.note(_tilewise.reason(network))
        return network
    kind = kind or find("TF" + type(network).__name__) or TFPreTrainedModel
    made = kind.__new__(kind)
    made._hold(network, name)
    return made


def _variable(name, parameter):
    v = _x.Tensor.__new__(_x.Variable)
    v.name, v._h = name + ":0", parameter._h
    v._trainable = parameter.requires_grad
    state.variables.append(v)
    if state.on_variable is not None:
        state.on_variable(v, None)
    return v


def _to_torch(value):
    if isinstance(value, _x.Tensor) or hasattr(value, "_values"):
        return _t.wrap(_x.handle(value))
    return value


class TFPreTrainedModel(Model):
    _network = None   # the class of the network
    _net = None
    _main = None      # the part below the head, where there is one

    def __init__(self, config=None, *inputs, **kwargs):
        self._hold(self._network(config), kwargs.get("name"))

    def _hold(self, network, name=None):
        """Takes the weights of a network, those of its main part apart from those of the head."""
        Model.__init__(self, name=name)
        self.config = network.config
        inner = getattr(network, type(network).base_model_prefix, None)
        own = list(network.named_parameters())
        if inner is not None and inner is not network and hasattr(inner, "named_parameters"):
            self._main = _model_of(inner, TFPreTrainedModel)
            held = {id(p) for _, p in inner.named_parameters()}
            own = [(n, p) for n, p in own if id(p) not in held]
        self._net = network
        self._own = [_variable(str(self.name) + "/" + n.replace(".", "/"), p) for n, p in own]
        self.built = True

    def __getattr__(self, name):
        network = self.__dict__.get("_net")
        if network is not None and self._main is not None and \
                name == type(network).base_model_prefix:
            return self._main
        raise AttributeError("'" + type(self).__name__ + "' object has no attribute '" + name +
                             "'")

    @classmethod
    def from_pretrained(cls, *args, **kwargs):
        return _loaded(cls, cls._network, args, kwargs)

    @classmethod
    def from_config(cls, config, **kwargs):
        return cls(config)

    _from_config = from_config

    @property
    def dummy_inputs(self):
        first = self._net.main_input_name
        if first != "input_ids":
            return {first: _batch.made(self._net, 3)[first]}
        return {first: _batch.ints(3, 5)}

    @property
    def layers(self):
        return [self if self._main is None else self._main]

    def call(self, input_ids=None, attention_mask=None, token_type_ids=None, position_ids=None,
             training=None, **kwargs):
        given = dict(kwargs)
        first = self._net.main_input_name
        if isinstance(input_ids, dict):
            given.update(input_ids)
        elif isinstance(input_ids, (list, tuple)):
            given.update(zip((first,) + _INPUTS, input_ids))
        else:
            given[first] = input_ids
        for name, value in zip(_INPUTS, (attention_mask, token_type_ids, position_ids)):
            if value is not None:
                given[name] = value
        given.pop("training", None)
        self._net.train(training is not None and bool(training))
        with _networks.Cast(self._policy.compute):
            out = self._net(**{k: _to_torch(v) for k, v in given.items()})
        return _networks.given(out, _x.wrap)

    def compute_loss(self, x=None, y=None, y_pred=None, sample_weight=None, training=True):
        """Without a loss of its own, `compile` asks for that of the network."""
        if self._loss is None and isinstance(y_pred, ModelOutput):
            if y_pred.loss is None and y is not None:
                given = dict(x) if isinstance(x, dict) else {self._net.main_input_name: x}
                y_pred = self(dict(given, labels=y), training=True)
            return y_pred.loss
        if isinstance(y_pred, ModelOutput) and not isinstance(y, dict):
            y_pred = y_pred[0] if y_pred.logits is None else y_pred.logits
        return Model.compute_loss(self, x, y, y_pred, sample_weight)

    def resize_token_embeddings(self, count=None):
        return self._net.resize_token_embeddings(count)

    def get_input_embeddings(self):
        return self._net.get_input_embeddings()

    def save_pretrained(self, *args, **kwargs):
        pass

    push_to_hub = save_pretrained

    def generate(self, *args, **kwargs):
        return _tilewise.unknown("what a model generates")

    def prepare_tf_dataset(self, dataset, batch_size=8, shuffle=True, tokenizer=None,
                           collate_fn=None, collate_fn_args=None, drop_remainder=None,
                           prefetch=True):
        """The columns of a data set that the model takes, and its labels apart from them."""
        from transformers.data import data_collator
        _batch.state.model = self._net
        if collate_fn is None:
            collate_fn = data_collator.DefaultDataCollator() if tokenizer is None else \
                data_collator.DataCollatorWithPadding(tokenizer=tokenizer)
        names = _batch.names_of(self._net)
        labels = [n for n in names if n in ("start_positions", "end_positions")] or ["labels"]
        return dataset.to_tf_dataset(
            batch_size, columns=[n for n in names if n not in labels], shuffle=shuffle,
            collate_fn=collate_fn, collate_fn_args=collate_fn_args,
            drop_remainder=bool(drop_remainder), label_cols=labels)
