"""Layers around others."""

from keras._config import clone_layer
from keras._layer import Layer
from keras._leaf import add, concat, dims, mul, reshape, reverse, wrap
from keras._node import flat, map_tensors
from keras.layers._core import Leaf


class Wrapper(Leaf):
    def __init__(self, layer, **kwargs):
        Layer.__init__(self, **kwargs)
        self.layer = layer

    def build(self, input_shape=None):
        if not self.layer.built:
            self.layer.build(input_shape)
        self.built = True


class TimeDistributed(Wrapper):
    """The layer once, on all steps as if they were examples."""

    def __init__(self, layer, **kwargs):
        Wrapper.__init__(self, layer, **kwargs)
        self.supports_masking = True

    def build(self, input_shape=None):
        self.built = True

    def call(self, inputs, training=None, mask=None):
        shape = dims(flat(inputs)[0]._h)
        lead, rows = shape[:2], shape[0] * shape[1]

        def joined(x):
            return wrap(reshape(x._h, (rows,) + dims(x._h)[2:]))

        def parted(x):
            return wrap(reshape(x._h, lead + dims(x._h)[1:]))
        given = {} if training is None else {"training": training}
        return map_tensors(parted, self.layer(map_tensors(joined, inputs), **given))

    def compute_output_shape(self, input_shape):
        inner = self.layer.compute_output_shape((input_shape[0],) + tuple(input_shape[2:]))
        return (inner[0], input_shape[1]) + tuple(inner[1:])


class Bidirectional(Wrapper):
    """Two loops, one of them from the last step to the first."""

    def __init__(self, layer, merge_mode="concat", weights=None, backward_layer=None, **kwargs):
        Wrapper.__init__(self, layer, **kwargs)
        self.merge_mode = merge_mode
        self.forward_layer = layer
        if backward_layer is None:
            backward_layer = clone_layer(layer)
            backward_layer.go_backwards = not layer.go_backwards
        self.backward_layer = backward_layer
        name = layer.name
        layer.name, backward_layer.name = "forward_" + name, "backward_" + name
        self.return_sequences, self.return_state = layer.return_sequences, layer.return_state
        self.stateful, self.supports_masking = layer.stateful, True

    def build(self, input_shape=None):
        for layer in (self.forward_layer, self.backward_layer):
            if not layer.built:
                layer.build(input_shape)
        self.built = True

    def call(self, sequences, initial_state=None, mask=None, training=None):
        first, second = {"training": training}, {"training": training}
        if isinstance(sequences, (list, tuple)) and len(sequences) > 1:
            initial_state, sequences = list(sequences[1:]), sequences[0]
        if mask is not None:
            first["mask"] = second["mask"] = mask[0] if isinstance(mask, list) else mask
        if initial_state is not None:
            half = len(initial_state) // 2
            first["initial_state"] = list(initial_state[:half])
            second["initial_state"] = list(initial_state[half:])
        y = self.forward_layer(sequences, **first)
        z = self.backward_layer(sequences, **second)
        states = []
        if self.return_state:
            states = list(y[1:]) + list(z[1:])
            y, z = y[0], z[0]
        out = self._merged(y._h, z._h)
        if self.merge_mode is None:
            return out + states if states else out
        return [out] + states if states else out

    def _merged(self, y, z):
        if self.return_sequences:
            z = reverse(z, 0 if getattr(self.forward_layer, "time_major", False) else 1)
        mode = self.merge_mode
        if mode == "concat":
            return wrap(concat([y, z], -1))
        if mode == "mul":
            return wrap(mul(y, z))
        if mode is None:
            return [wrap(y), wrap(z)]
        return wrap(add(y, z) if mode == "sum" else mul(add(y, z), 0.5))

    def compute_mask(self, inputs, mask=None):
        if isinstance(mask, list):
            mask = mask[0]
        return mask if self.return_sequences else None

    def reset_states(self, *args):
        pass

    reset_state = reset_states

    def compute_output_shape(self, input_shape, initial_state_shape=None):
        shape = self.forward_layer.compute_output_shape(input_shape)
        if not self.return_state and self.merge_mode == "concat":
            return tuple(shape[:-1]) + (shape[-1] * 2,)
        return shape

    @property
    def go_backwards(self):
        return self.forward_layer.go_backwards
