"""hub.KerasLayer and hub.load."""

import _tilewise as _t
from keras._layer import Layer
from tensorflow import _tensor as _x
from tensorflow_hub import _models, _table

_unk = _t.is_unknown


def missing(handle):
    why = _t.reason(handle) if _unk(handle) else str(handle)
    return _t.unknown("what model of TensorFlow Hub is loaded from " + why)


class KerasLayer(Layer):
    """A published model as a layer; it is trained where that is asked for."""

    def __init__(self, handle, trainable=False, arguments=None, _sentinel=None, tags=None,
                 signature=None, signature_outputs_as_dict=None, output_key=None,
                 output_shape=None, load_options=None, **kwargs):
        Layer.__init__(self, trainable=trainable, **kwargs)
        self._handle = handle
        self._arguments = arguments or {}
        self._output_key, self._output_shape = output_key, output_shape
        self._inner = self._why = self._function = None
        self._take_model(handle)

    def _take_model(self, handle):
        if isinstance(handle, (Layer, Loaded)):
            self._inner = handle.layer if isinstance(handle, Loaded) else handle
            if not self._trainable:
                self._inner.trainable = False
        elif callable(handle) and not _unk(handle):
            self._function = handle
        else:
            spec = _table.find(handle)
            if spec is None:
                self._why = missing(handle)
                _t.note(_t.reason(self._why))
            else:
                self._inner = _models.KINDS[spec.kind](spec, trainable=self._trainable)

    @property
    def resolved_object(self):
        return self._inner if self._inner is not None else self._why

    def call(self, inputs, training=None):
        if self._inner is not None:
            given = {k: v for k, v in self._arguments.items() if k == "seq_length"}
            out = self._inner(inputs, **given)
        elif self._function is not None:
            out = self._function(inputs, **self._arguments)
        else:
            return self._why
        if self._output_key is not None and isinstance(out, dict):
            return out[self._output_key]
        return out

    def compute_output_shape(self, input_shape):
        if self._output_shape is not None:
            return (tuple(input_shape)[0],) + tuple(self._output_shape)
        return Layer.compute_output_shape(self, input_shape)

    def count_params(self):
        return self._why if self._why is not None else Layer.count_params(self)

    def get_config(self):
        return {**Layer.get_config(self), "handle": self._handle}


class Loaded:
    """What hub.load gives: a function with variables."""

    def __init__(self, layer):
        self.layer = layer

    def __call__(self, *args, **kwargs):
        kwargs.pop("training", None)
        return self.layer(*args, **kwargs)

    @property
    def variables(self):
        return self.layer.variables

    @property
    def trainable_variables(self):
        return self.layer.trainable_variables

    @property
    def signatures(self):
        layer = self.layer

        class _Signatures(dict):
            def __missing__(self, key):
                return lambda x: {"default": layer(x)}
        return _Signatures()

    def tokenize(self, texts):
        return texts

    def bert_pack_inputs(self, inputs, seq_length=128, **ignored):
        return self.layer(inputs, seq_length=seq_length)


def load(handle, tags=None, options=None):
    spec = _table.find(handle)
    if spec is None:
        return missing(handle)
    return Loaded(_models.KINDS[spec.kind](spec))
