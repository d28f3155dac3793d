"""What backbones and tasks of keras_hub share: presets, LoRA, texts given to `fit`."""

import _tilewise as _t
import keras
from keras import _policy
from keras._model import Model
from keras_hub import _packers, _presets
from tensorflow import _tensor as _x

_unk = _t.is_unknown
Input = keras.Input


def ids(name):
    return Input((None,), dtype="int32", name=name)


class _InType:
    """Layers that are made within have that type."""

    def __init__(self, dtype):
        self.dtype = dtype

    def __enter__(self):
        self.before = _policy._now[0]
        if self.dtype is not None:
            _policy._now[0] = _policy.policy_of(self.dtype)

    def __exit__(self, kind, value, trace):
        _policy._now[0] = self.before
        return False


class Backbone(Model):
    """Sizes are attributes of it by the names of the arguments of its constructor."""
    family = None
    cls_token_index = start_token_index = 0

    def __init__(self, dtype=None, trainable=True, name=None, **sizes):
        for key, value in sizes.items():
            setattr(self, key, value)
        with _InType(dtype):
            inputs, outputs = self._network()
            Model.__init__(self, inputs=inputs, outputs=outputs, trainable=trainable,
                           dtype=dtype, name=name)

    @classmethod
    def from_preset(cls, preset, load_weights=True, **kwargs):
        found = _presets.of(preset)
        if _unk(found):
            _t.note(_t.reason(found) + " are not known")
            return found
        family, sizes = found
        if cls is Backbone or cls.family not in (family, _LIKE.get(family)):
            from keras_hub.models import BACKBONES
            cls = BACKBONES[family]
        return cls(**dict(sizes, **kwargs))

    def default_lora_layer_names(self):
        return ["query_dense", "value_dense", "query", "value"]

    def enable_lora(self, rank, target_layer_names=None):
        """Only what the layers of those names have beside their kernels is trained."""
        names = target_layer_names or self.default_lora_layer_names()
        layers = self._flatten_layers(include_self=False)
        for v, _ in self._all():
            _train(v, False)
        for layer in layers:
            if layer.name in names and hasattr(layer, "enable_lora"):
                for v in layer._own or ():
                    _train(v, True)
                layer.enable_lora(rank)
        self._lora_rank = rank

    def save_lora_weights(self, filepath):
        pass

    load_lora_weights = save_to_preset = export_to_transformers = save_lora_weights


_LIKE = {"Llama3": "Llama", "XLMRoberta": "Roberta"}


def _train(v, whether):
    v._trainable = whether
    if _t.dtype(v._h) in _x.FLOATS:
        _t.set_trainable(v._h, whether)


class Preprocessor(keras.layers.Layer):
    """Texts as the ids that a model takes; how long they are is `sequence_length`."""
    family = None
    _usual = 512
    segments = False

    def __init__(self, tokenizer=None, sequence_length=None, *args, **kwargs):
        keras.layers.Layer.__init__(self)
        self.tokenizer = tokenizer
        self.is_default = sequence_length is None
        self._length = self._usual if sequence_length is None else sequence_length
        self._masks = kwargs.get("mask_selection_length", 96)

    @property
    def sequence_length(self):
        return self._length

    @sequence_length.setter
    def sequence_length(self, value):
        self._length, self.is_default = value, False

    @classmethod
    def from_preset(cls, preset, **kwargs):
        from keras_hub.tokenizers import Tokenizer
        kwargs.pop("dtype", None)
        made = cls(kwargs.pop("tokenizer", None) or Tokenizer.from_preset(preset), **kwargs)
        found = _presets.of(preset)
        if not _unk(found):
            made.segments = found[0] in ("Bert", "Albert")
        return made

    def _said(self):
        if self.is_default:
            self.is_default = False
            _t.note("no sequence_length is given to " + type(self).__name__ + "; texts are taken "
                    "to be padded to its default, " + str(self._length))

    def _ids(self, rows, length):
        x = {"token_ids": _packers.filled(rows + [length], "int32"),
             "padding_mask": _packers.filled(rows + [length], "bool", "a mask")}
        if self.segments:
            x["segment_ids"] = _packers.filled(rows + [length], "int32", "segments")
        return x

    def __call__(self, x, y=None, sample_weight=None, sequence_length=None):
        self._said()
        return _packers.packed(
            self._ids(_packers.rows_of(x), sequence_length or self._length), y, sample_weight)

    call = __call__

    def generate_preprocess(self, x, sequence_length=None):
        return self(x, sequence_length=sequence_length)

    def generate_postprocess(self, x):
        return _t.unknown("texts that are generated")

    save_to_preset = Backbone.save_lora_weights


class CausalLMPreprocessor(Preprocessor):
    """The tokens that follow are the targets."""
    _usual = 1024

    def __call__(self, x, y=None, sample_weight=None, sequence_length=None):
        self._said()
        rows, length = _packers.rows_of(x), sequence_length or self._length
        return (self._ids(rows, length), _packers.filled(rows + [length], "int32", "targets"),
                _packers.filled(rows + [length], "bool", "weights"))

    call = __call__

    def generate_preprocess(self, x, sequence_length=None):
        return self._ids(_packers.rows_of(x), sequence_length or self._length)


class MaskedLMPreprocessor(Preprocessor):
    """Some of the tokens are the targets."""

    def __call__(self, x, y=None, sample_weight=None, sequence_length=None):
        self._said()
        rows, masks = _packers.rows_of(x), self._masks
        given = self._ids(rows, sequence_length or self._length)
        given["mask_positions"] = _packers.filled(rows + [masks], "int32", "positions")
        return (given, _packers.filled(rows + [masks], "int32", "targets"),
                _packers.filled(rows + [masks], "float32", "weights"))

    call = __call__


class Task(Model):
    """A backbone with a head; `fit` takes texts, which the preprocessor makes ids of."""
    backbone_cls = Backbone
    preprocessor_cls = Preprocessor
    _rate = 2e-5

    def __init__(self, backbone, preprocessor, inputs, outputs, **kwargs):
        kwargs.pop("compile", None)
        self.backbone, self.preprocessor = backbone, preprocessor
        Model.__init__(self, inputs=inputs, outputs=outputs, **kwargs)
        self.compile()

    @classmethod
    def from_preset(cls, preset, load_weights=True, **kwargs):
        made = {k: kwargs.pop(k) for k in ("dtype", "trainable") if k in kwargs}
        made.update({k: kwargs.pop(k) for k in list(kwargs) if k in _SIZES})
        backbone = kwargs.pop("backbone", None) or cls.backbone_cls.from_preset(preset, **made)
        if _unk(backbone):
            return backbone
        if "num_classes" in cls._takes and "num_classes" not in kwargs:
            kwargs["num_classes"] = _presets.CLASSES.get(_presets.name_of(preset))
            if kwargs["num_classes"] is None:
                raise TypeError("missing argument: 'num_classes'")
        if "preprocessor" not in kwargs:
            kwargs["preprocessor"] = cls.preprocessor_cls.from_preset(preset)
        return cls(backbone, **kwargs)

    _takes = ()

    def _auto(self, optimizer, loss):
        if isinstance(optimizer, str) and optimizer == "auto":
            optimizer = keras.optimizers.Adam(self._rate)
        if isinstance(loss, str) and loss == "auto":
            activation = keras.activations.get(getattr(self, "activation", None))
            loss = keras.losses.SparseCategoricalCrossentropy(
                from_logits=activation is not keras.activations.softmax)
        return optimizer, loss

    def compile(self, optimizer="auto", loss="auto", *, sampler=None, metrics=None,
                weighted_metrics=None, **kwargs):
        optimizer, loss = self._auto(optimizer, loss)
        metrics, weighted_metrics = [None if isinstance(m, str) else m
                                     for m in (metrics, weighted_metrics)]
        Model.compile(self, optimizer=optimizer, loss=loss, metrics=metrics,
                      weighted_metrics=weighted_metrics, **kwargs)
        self._kept_trainable = None  # What is trained counts when `fit` is called.
        self.sampler = sampler

    def fit(self, x=None, y=None, batch_size=None, sample_weight=None, validation_data=None,
            **kwargs):
        if self.preprocessor is None or x is None:
            return Model.fit(self, x, y, batch_size, sample_weight=sample_weight,
                             validation_data=validation_data, **kwargs)
        return Model.fit(self, self._prepared(x, y, sample_weight, batch_size),
                         validation_data=None, **kwargs)

    def _prepared(self, x, y, weight, batch_size):
        """A data set of batches of ids, which KerasHub makes with tf.data itself."""
        from tensorflow import data
        auto = data.AUTOTUNE
        if not hasattr(x, "element"):
            size = batch_size or 32
            parts = _packers.packed(x, y, weight)
            try:
                x = data.Dataset.from_tensor_slices(parts).batch(size)
            except Exception:
                x = _t.unknown("the texts that fit is given")
            if not hasattr(x, "element") or _unk(x.element):
                made = _packers.filled([None], "string")
                labels = None if y is None else _packers.filled([None], "int32", "labels")
                _t.note("the texts that fit is given are not known")
                x = data.Dataset.from_tensors(_packers.packed(made, labels)).unbatch().batch(size)
        return x.map(self.preprocessor, num_parallel_calls=auto).prefetch(auto)

    def evaluate(self, x=None, y=None, **kwargs):
        return self._results()

    def predict(self, x=None, **kwargs):
        return _t.unknown("what a model predicts")

    def generate(self, inputs, max_length=None, **kwargs):
        return _t.unknown("texts that are generated")

    def score(self, *args, **kwargs):
        return _t.unknown("scores of tokens")

    def make_generate_function(self):
        return self.generate

    def quantize(self, mode, **kwargs):
        _t.note("the weights of " + str(self.name) + " are quantised to " + str(mode) +
                "; the step is simulated without that")

    save_to_preset = export_to_transformers = Backbone.save_lora_weights


# Arguments of from_preset that are the backbone's.
_SIZES = ("dropout", "max_sequence_length", "sliding_window_size")
