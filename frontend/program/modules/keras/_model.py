"""Models: functional ones, and subclasses with a call of their own."""

import _tilewise as _t
from keras import _input, _node
from keras._functional import Graph
from keras._layer import Layer, names_of
from keras._training import Trainer
from keras._weights import models
from tensorflow import _tensor as _x
from tensorflow._public import state
from tensorflow._shape import TensorShape

KerasTensor, Tensor = _x.KerasTensor, _x.Tensor
_unk = _t.is_unknown


def _is_functional(args, kwargs):
    for old, new in (("input", "inputs"), ("output", "outputs")):
        if old in kwargs and new not in kwargs and (_unk(kwargs[old]) or isinstance(
                kwargs[old], (Tensor, list, tuple, dict))):
            kwargs[new] = kwargs.pop(old)  # The first Keras had these names.
    if "inputs" in kwargs or "outputs" in kwargs:
        return True
    return len(args) >= 2 and (_unk(args[0]) or not isinstance(args[0], str))


class Model(Trainer, Layer):
    _graph = None
    _is_model = True
    _starved = False  # it was called on what is not known
    _extra = None
    _data_shape = None

    def __new__(cls, *args, **kwargs):
        if cls is Model and _is_functional(args, kwargs):
            cls = Functional
        made = Layer.__new__(cls, *args, **kwargs)
        models.append(made)
        return made

    def __init__(self, *args, **kwargs):
        if _is_functional(args, kwargs):
            given = list(args)
            inputs = kwargs.pop("inputs", None) if "inputs" in kwargs else given.pop(0)
            outputs = kwargs.pop("outputs", None) if "outputs" in kwargs else given.pop(0)
            if given:
                kwargs["name"] = given[0]
            self._make_graph(inputs, outputs)
        kwargs.pop("inputs", None)
        Layer.__init__(self, **kwargs)

    def _make_graph(self, inputs, outputs):
        self._graph = Graph(inputs, outputs)
        self.built = True
        self.autocast = False
        if self._graph.unknown is not None:
            _t.note("an output of a model is not known: " + _t.reason(self._graph.unknown))

    # -- the call

    def _scope_name(self):
        return "" if state.inside == 0 and state.scope == "" else Layer._scope_name(self)

    def call(self, inputs, training=None, mask=None):
        if self._graph is None:
            raise NotImplementedError("Model " + str(self.name) + " has no `call()` method")
        if not self._extra:
            return self._graph.run(inputs)
        out, losses = self._graph.run(inputs, self._extra)
        self._losses = (self._losses or []) + losses
        return out

    def _run_unknown(self, args, kwargs):
        shapes = self._input_shapes()
        why = _t.reason(args[0])
        # Without a shape there is no data that could stand for what is given.
        if shapes is None or _unk(shapes) or \
                "package" in why or "module" in why or "is not among" in why:
            self._starved = True
            return args[0]
        _t.note("what model " + str(self.name) + " is given is not known (" + why +
                "); data of the shapes of its inputs is taken")
        from keras._batch import inputs_of_shape
        return self._run((inputs_of_shape(self, shapes, None),) + args[1:], kwargs)

    def _unbuilt(self):
        """A layer whose weights wait for data, when that is not known."""
        if self._starved:
            for layer in self._flatten_layers():
                if not layer.built and type(layer).build is not Layer.build:
                    return layer
        return None

    def _input_shapes(self):
        """Shapes of what it takes, nested as it takes them, or None."""
        if self._graph is not None:
            return _node.map_tensors(lambda t: t, self._graph.inputs)
        return self._data_shape

    def _build_by(self, info, args, kwargs):
        if type(self).build is not Model.build:
            Layer._build_by(self, info, args, kwargs)
        self.built = True

    def build(self, input_shape=None):
        """Runs the call of a subclass once, on what stands for data of that shape."""
        if self.built or self._graph is not None or input_shape is None or \
                type(self).call is Model.call or _unk(input_shape):
            return
        self.built = True
        made = _stand_ins(input_shape)
        self._data_shape = made
        names, _, defaults = names_of(type(self).call)
        if isinstance(made, (list, tuple)) and len([n for n in names if n not in defaults]) > 1:
            self(*made)
        else:
            self(made)

    def add_loss(self, losses, inputs=None, **ignored):
        """Of a functional model: KerasTensors, of which each call makes a loss."""
        for loss in losses if isinstance(losses, (list, tuple)) else [losses]:
            if isinstance(loss, KerasTensor):
                self._extra = (self._extra or []) + [loss]
            else:
                Layer.add_loss(self, loss)

    # -- its parts

    def _children(self):
        if self._graph is None:
            return Layer._children(self)
        found = self._graph.layers()
        seen = set(id(layer) for layer in found)
        if type(self) is not Functional:
            found.extend([c for c in Layer._children(self) if id(c) not in seen])
        return found

    def _collect(self, found, seen, trained):
        if self._graph is not None and id(self) not in seen:
            trained_here = trained and self._trainable
            for layer in self._graph.layers():
                layer._collect(found, seen, trained_here)
            for node in self._graph.nodes:
                if not isinstance(node.function, Layer):
                    for t in _node.flat((node.args, node.kwargs)):
                        if t._is_variable and id(t) not in seen:
                            seen.add(id(t))
                            found.append((t, trained_here and t._trainable))
        Layer._collect(self, found, seen, trained)

    @property
    def layers(self):
        found = self._children()
        seen, result = set(), []
        for layer in found:
            if id(layer) not in seen:
                seen.add(id(layer))
                result.append(layer)
        return result

    @layers.setter
    def layers(self, value):
        self.__dict__["_layers_given"] = value

    @property
    def _layers(self):
        return self.layers

    def get_layer(self, name=None, index=None):
        if index is not None:
            return self.layers[index]
        for layer in self.layers:
            if layer.name == name:
                return layer
        raise ValueError("No such layer: " + str(name))

    @property
    def inputs(self):
        return None if self._graph is None else self._graph.flat_in

    @property
    def outputs(self):
        return None if self._graph is None else self._graph.flat_out

    @property
    def input(self):
        if self._graph is None:
            return self._of_node("input")
        return self._graph.inputs if len(self._graph.flat_in) != 1 else self._graph.flat_in[0]

    @property
    def output(self):
        if self._graph is None:
            return self._of_node("output")
        if self._graph.unknown is not None:
            return self._graph.unknown
        return self._graph.outputs if len(self._graph.flat_out) != 1 else self._graph.flat_out[0]

    @property
    def input_shape(self):
        return _shapes(self.input)

    @property
    def output_shape(self):
        return _shapes(self.output)

    @property
    def input_names(self):
        return [] if self._graph is None else list(self._graph.names)

    @property
    def output_names(self):
        return [] if self._graph is None else self._graph.output_names()

    @property
    def _is_graph_network(self):
        return self._graph is not None

    @property
    def state_updates(self):
        return []

    def compute_output_shape(self, input_shape, *args, **kwargs):
        if self._graph is not None and isinstance(self._graph.outputs, KerasTensor):
            shape = tuple(self._graph.outputs.shape)
            if None not in shape[1:]:
                return (tuple(input_shape)[0],) + shape[1:]
        return Layer.compute_output_shape(self, input_shape, *args, **kwargs)

    # -- as text and on disk

    def summary(self, *args, **kwargs):
        pass

    def to_json(self, **kwargs):
        return "{}"

    to_yaml = to_json

    def save(self, filepath=None, *args, **kwargs):
        from keras import _saving
        _saving.save_model(self, filepath)

    export = save

    def save_weights(self, *args, **kwargs):
        _t.record("checkpoint")

    def load_weights(self, *args, **kwargs):
        return _Loaded()

    def reset_states(self):
        pass

    reset_state = reset_states

    def get_config(self):
        return {"name": self.name, "trainable": self._trainable, "_model": self} \
            if self._graph is not None else Layer.get_config(self)

    @classmethod
    def from_config(cls, config, custom_objects=None):
        if "_model" in config:
            from keras._clone import clone_model
            return clone_model(config["_model"])
        return cls(**config)

    def _clone(self):
        from keras._clone import clone_model
        return clone_model(self)


class _Loaded:
    def expect_partial(self):
        return self

    assert_consumed = assert_existing_objects_matched = run_restore_ops = expect_partial


def _shapes(value):
    if isinstance(value, Tensor):
        return tuple(value.shape)
    if isinstance(value, dict):
        return {k: _shapes(v) for k, v in value.items()}
    if isinstance(value, (list, tuple)):
        return [_shapes(v) for v in value]
    return value


def _stand_ins(shape):
    if isinstance(shape, dict):
        return {k: _stand_ins(v) for k, v in shape.items()}
    sizes = list(shape)
    if sizes and isinstance(sizes[0], (list, tuple, TensorShape)):
        return [_stand_ins(s) for s in sizes]
    return _x.wrap(_input.stand_in(_input.sizes_of(sizes), "f32", "input"))


class Functional(Model):
    pass
