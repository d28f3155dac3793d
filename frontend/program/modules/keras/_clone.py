"""Models made again with weights of their own."""

from keras import _node
from keras._config import clone_layer
from keras._input import Input
from keras._layer import Layer
from tensorflow._public import holds_keras_tensor


def clone_model(model, input_tensors=None, clone_function=None, call_function=None,
                recursive=False, **ignored):
    from keras._sequential import Sequential
    copy = clone_function or clone_layer
    if isinstance(model, Sequential):
        made = Sequential(name=model.name)
        if model._begun is not None:
            made.add(Input(batch_shape=tuple(model._begun.shape), dtype=model._begun.dtype.name))
        for layer in model.layers:
            made.add(copy(layer))
        return made
    graph = model._graph
    if graph is None:
        args, kwargs = model._made
        return type(model)(*args, **kwargs)
    copies, values = {}, {}

    def again(t):
        fresh = Input(batch_shape=tuple(t.shape), dtype=t.dtype.name, name=t.name)
        values[id(t)] = fresh
        return fresh
    if input_tensors is not None:
        inputs = input_tensors
        for kept, t in zip(graph.flat_in, _node.flat(inputs)):
            values[id(kept)] = t
    else:
        inputs = _node.map_tensors(again, graph.inputs)
    for node in graph.nodes:
        function = node.function
        if isinstance(function, Layer):
            if id(function) not in copies:
                copies[id(function)] = copy(function)
            function = copies[id(function)]

        def now(t):
            return values.get(id(t), t)
        args = _node.map_tensors(now, node.args)
        kwargs = _node.map_tensors(now, node.kwargs)
        # A layer makes its node; what is called between layers does not.
        if not isinstance(function, Layer) and holds_keras_tensor(args, kwargs):
            made = _node.call(function, args, kwargs)
        else:
            made = function(*args, **kwargs)
        for kept, t in zip(node.outputs, _node.flat(made)):
            values[id(kept)] = t
    outputs = _node.map_tensors(lambda t: values.get(id(t), t), graph.outputs)
    from keras._model import Functional
    return Functional(inputs, outputs, name=model.name)


