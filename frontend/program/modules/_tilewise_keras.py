"""One forward pass of a Keras model that was asked for by name.

`trace(model, inputs)` serves models and layers, their classes, tensors of the functional API, and
functions of tensors. `inputs` are (sizes of one example, type) pairs.
"""

import _python
import _tilewise as _t
from keras import _batch, _node
from keras._layer import Layer
from keras._model import Model
from tensorflow import _tensor as _x

BATCH = 2


def is_keras(model):
    """A model, a layer, a class of them, or a tensor of the functional API."""
    if isinstance(model, (Layer, _x.KerasTensor)):
        return True
    return isinstance(model, type) and issubclass(model, Layer)


def _is_text(dtype):
    return dtype in ("string", "str")


def _tensors(inputs):
    made = []
    for dims, dtype in inputs:
        code = "u8" if _is_text(dtype) else _x.as_dtype(dtype).code if dtype in (
            "float32", "int32", "int64", "float16", "bfloat16", "uint8", "bool") else dtype
        made.append(_x.wrap(_t.input([BATCH] + list(dims), code, "input")))
        if _is_text(dtype):
            made[-1]._is_text = True
    return made


def _own_inputs(model, given):
    """What the Inputs of the model take; sizes that they leave open are those that were given."""
    shapes = model._input_shapes() if isinstance(model, Model) else None
    if shapes is None:
        return None
    wanted = _node.flat(shapes)
    at = [0]

    def one(t):
        i = at[0]
        at[0] += 1
        like = given[i] if len(given) == len(wanted) else None
        return _batch.fresh(t, BATCH, like, "input")
    return _node.map_tensors(one, shapes)


def _record(model):
    if isinstance(model, Model):
        model._settle()
        return
    parameters, buffers = [], []
    for v, trained in model._all():
        (parameters if trained else buffers).append(v._h)
    _t.record("model", name=str(model.name), parameters=parameters, buffers=buffers)


def _run(model, given):
    own = _own_inputs(model, given)
    if own is not None:
        return model(own)
    if not given:
        return None
    if len(given) == 1:
        return model(given[0])
    from keras._layer import names_of
    names, _, defaults = names_of(type(model).call)
    if len([n for n in names if n not in defaults]) == len(given):
        return model(*given)
    return model(given)


def _called(function, tensors):
    """The function of tensors, with the flags of an evaluation that it turns out to need."""
    needed = [n for n, kind, default, _ in _python.signature(function)
              if not default and not kind.startswith("var")]
    if not needed:
        tensors = []
    flags = {}
    for _ in range(4):
        try:
            return function(*tensors, **flags)
        except TypeError as e:
            more = [n for n in ("training", "is_training", "train") if "'" + n + "'" in str(e)]
            if not more or "unexpected" in str(e) or more[0] in flags:
                raise
            flags[more[0]] = False
    return function(*tensors, **flags)


def trace(model, inputs):
    if isinstance(model, _x.KerasTensor):
        from keras.utils import get_source_inputs
        model = Model(get_source_inputs(model), model)
    if isinstance(model, type):
        model = model()
    if not isinstance(model, Layer):
        out = _called(model, _tensors(inputs))
        return trace(out, inputs) if isinstance(out, Layer) else _result(out)
    if model.built:
        _record(model)
    out = _run(model, _tensors(inputs))
    _record(model)
    if out is not None:
        _result(out)
    elif not model.built:
        _t.note("the weights of " + str(model.name) + " are made when it is given data: --input")


def built(model):
    """What a program that trains nothing here is about: the model given, or the last that it made
    and no other model has."""
    from keras._weights import models
    if model is None or _t.is_unknown(model):
        held = set()
        for each in models:
            for layer in each._flatten_layers():
                if layer is not each:
                    held.add(id(layer))
        left = [m for m in models if id(m) not in held]
        # What has no weights is a model only where it says its inputs.
        likely = [m for m in left if not m.built or m._all()] or \
            [m for m in left if m._graph is not None]
        # A part of a model of which an output is not known does not stand for it.
        unread = [m for m in models if m._graph is not None and m._graph.unknown is not None]
        if not likely or unread and likely[-1]._graph is not None and likely[-1] not in unread:
            return
        model = likely[-1]
    trace(model, [])


def _result(out):
    if _t.is_unknown(out):
        _t.note("a result of the model is not known: " + _t.reason(out))
        return
    handles = [t._h for t in _node.flat(out)]
    if handles:
        _t.record("result", value=handles)
