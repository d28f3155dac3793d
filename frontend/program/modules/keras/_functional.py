"""The calls between some KerasTensors and others, run again on what a model is given."""

import _tilewise as _t
from keras import _node
from keras._layer import Layer
from tensorflow import _tensor as _x

KerasTensor, Tensor = _x.KerasTensor, _x.Tensor
_unk = _t.is_unknown


def _any_unknown(value):
    if _unk(value):
        return value
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, (list, tuple)):
        for v in value:
            found = _any_unknown(v)
            if found is not None:
                return found
    return None


class Graph:
    def __init__(self, inputs, outputs):
        self.inputs, self.outputs = inputs, outputs
        self.unknown = _any_unknown(outputs)
        self.flat_in = _node.flat(inputs)
        self.flat_out = [] if self.unknown is not None else _node.flat(outputs)
        self.nodes = _node.between(self.flat_in, self.flat_out)
        self.names = [getattr(t, "name", "input") for t in self.flat_in]
        self._layers = None
        self._last = {}  # what its KerasTensors were in the last run

    def layers(self):
        """Its layers in the order of Keras: the farthest from the outputs first."""
        if self._layers is None:
            self._layers = self._by_depth()
        return list(self._layers)

    def _by_depth(self):
        inside = set([id(node) for node in self.nodes])

        def call_of(t):
            """The call that makes a tensor, or the tensor where it is an input."""
            node = t._node if isinstance(t, KerasTensor) else None
            return node if node is not None and id(node) in inside else t

        def layer_of(call):
            return call.function if isinstance(call, _node.Node) else \
                getattr(call, "_source", None)

        # Calls behind those that they need; of layers, which is met first from the outputs.
        calls, index, seen = [], {}, set()
        work = [(call_of(t), False) for t in reversed(self.flat_out)]
        while work:
            call, met = work.pop()
            if met:
                calls.append(call)
            elif id(call) not in seen:
                seen.add(id(call))
                index.setdefault(id(layer_of(call)), len(index))
                work.append((call, True))
                if isinstance(call, _node.Node):
                    work += [(call_of(t), False) for t in reversed(call.inputs)]
        depth, depth_of_layer, layers = {}, {}, {}
        for call in reversed(calls):
            layer = layer_of(call)
            layers[id(layer)] = layer
            at = max(depth.get(id(call), 0), depth_of_layer.get(id(layer), 0))
            depth_of_layer[id(layer)] = at
            for t in call.inputs if isinstance(call, _node.Node) else ():
                before = id(call_of(t))
                depth[before] = max(at + 1, depth.get(before, 0))
        for t in self.flat_in:
            source = getattr(t, "_source", None)
            if source is not None and id(source) not in layers:
                layers[id(source)] = source
                depth_of_layer[id(source)], index[id(source)] = 0, -1
        found = [k for k, layer in layers.items() if isinstance(layer, Layer)]
        found.sort(key=lambda k: (-depth_of_layer[k], index[k]))
        return [layers[k] for k in found]

    def output_names(self):
        names = []
        for t in self.flat_out:
            function = None if not isinstance(t, KerasTensor) or t._node is None else \
                t._node.function
            names.append(getattr(function, "name", None) or getattr(function, "__name__", "out"))
        return names

    # -- running it

    def feed(self, given):
        """id of each input to the tensor that is given for it."""
        values = {}
        for kept, value in zip(self.flat_in, self.ordered(given)):
            values[id(kept)] = self.fitted(kept, value)
        for kept in self.flat_in:
            if id(kept) not in values:
                raise ValueError("no value is given for the input " + str(kept.name))
        return values

    def ordered(self, given):
        if isinstance(given, dict):
            keys = list(self.inputs) if isinstance(self.inputs, dict) else self.names
            if all(k in given for k in keys):
                return [given[k] for k in keys]
            given = list(given.values())
        if isinstance(given, (list, tuple)):
            if len(self.flat_in) == 1 and (len(given) != 1 or _number(given[0])):
                return [_x.tensor(given)] if _number(given[0]) else list(given[:1])
            if all(v is None or isinstance(v, Tensor) or hasattr(v, "shape") for v in given):
                return given
            return _node.flat(given)
        return [given]

    def fitted(self, kept, value):
        """A tensor as an Input wants it: its rank and its type."""
        if value is None:
            return None
        if _unk(value):
            return _t.input(list(_t.shape(kept._h)), _t.dtype(kept._h), kept.name)
        if not isinstance(value, Tensor):
            value = _x.wrap(_x.handle(value))
        h = value._read() if value._is_variable else value._h
        want = _t.shape(kept._h)
        have = _t.shape(h)
        if len(have) == len(want) - 1 and want[-1] == 1:
            h = _t.op("tw.reshape", [h], {"shape": list(have) + [1]})
        elif len(have) == len(want) + 1 and have[-1] == 1 and len(want) > 0:
            h = _t.op("tw.reshape", [h], {"shape": list(have[:-1])})
        code, own = _t.dtype(kept._h), _t.dtype(h)
        if own != code and getattr(value, "_strings", None) is None and \
                not (own in _x.FLOATS and code in _x.FLOATS and own != "f64"):
            h = _t.op("tw.convert", [h], {"dtype": code})
        if h is value._h:
            return value
        made = _x.wrap(h)
        made._keras_mask = value._keras_mask
        return made

    def run(self, given, more=None):
        """The outputs of what is given; `more`: other KerasTensors that are wanted as well."""
        if self.unknown is not None:
            return self.unknown if more is None else (self.unknown, [])
        values = self._last = self.feed(given)
        # What a layer holds of the model, as losses of autoencoders do, is what it is now.
        held = []
        try:
            _stand(self.inputs, values, held)
            for node in self.nodes:
                node.run(values)
                _stand(node.outputs, values, held)
        finally:
            for kept, h in held:
                kept._h = h

        def now(t):
            return values.get(id(t), t)
        out = _node.map_tensors(now, self.outputs)
        if more is None:
            return out
        return out, _node.replay(more, values)

    def lossed(self, loss):
        """What `loss` gives, whose function may name what the model computes on its way."""
        held, before = [], _node.now[0]
        try:
            _stand(self.inputs, self._last, held)
            for node in self.nodes:
                _stand(node.outputs, self._last, held)
            _node.now[0] = self._last
            return loss()
        finally:
            _node.now[0] = before
            for kept, h in held:
                kept._h = h


def _stand(tensors, values, held):
    """Has KerasTensors stand for what they are in a run; `held` keeps what they stood for."""
    for kept in _node.flat(tensors):
        made = values.get(id(kept))
        if isinstance(made, _x.Tensor) and made is not kept:
            held.append((kept, kept._h))
            kept._h = made._h


def _number(value):
    return isinstance(value, (int, float)) or isinstance(value, (list, tuple)) and \
        len(value) > 0 and _number(value[0])
