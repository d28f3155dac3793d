"""One forward pass of a model that was asked for by name."""
import _python
import sys

import _tilewise


def inputs_of(text):
    """The tensors of "3x224x224:f32,seq:s32": sizes of one example, then the type."""
    result = []
    for part in text.split(","):
        if not part.strip():
            continue
        sizes, _, dtype = part.strip().replace(":", " ").partition(" ")
        dims = []
        for size in sizes.split("x"):
            if size.isdigit():
                dims.append(int(size))
            elif size:
                _tilewise.note("size " + size + " of --input is taken as 128")
                dims.append(128)
        dtype = dtype.strip().lower() or "f32"
        result.append((dims, _TYPES.get(dtype, dtype)))
    return result


# The names that frameworks give to the element types of XLA.
_TYPES = {"float": "f32", "float32": "f32", "float16": "f16", "half": "f16", "float64": "f64",
          "double": "f64", "bfloat16": "bf16", "int": "s32", "long": "s64", "bool": "pred",
          "uint8": "u8"}
_TYPES.update([(name + str(bits), "s" + str(bits)) for name in ("i", "int") for bits in
               (8, 16, 32, 64)])


def is_torch(model):
    for cls in type(model).__mro__:
        if cls.__module__ and cls.__module__.split(".")[0] == "torch" and cls.__name__ == "Module":
            return True
    return False


def flat(value, found):
    if _tilewise.is_unknown(value):
        _tilewise.note("a result of the model is not known: " + _tilewise.reason(value))
    elif isinstance(value, (list, tuple)):
        for item in value:
            flat(item, found)
    elif isinstance(value, dict):
        for item in value.values():
            flat(item, found)
    elif hasattr(value, "_h"):
        found.append(value._h)
    elif hasattr(value, "__dict__"):
        for item in vars(value).values():
            if hasattr(item, "_h"):
                found.append(item._h)
    return found


def trace_torch(model, inputs, trains):
    from torch._tensor import wrap
    from torch.nn._module import say_unknown_parts
    if not trains and hasattr(model, "eval"):
        model.eval()
    parameters = [p._h for p in model.parameters()]
    buffers = [b._h for b in model.buffers() if b is not None]
    _tilewise.record("model", name=type(model).__name__, parameters=parameters, buffers=buffers)
    say_unknown_parts(model)
    arguments = []
    for dims, dtype in inputs:
        arguments.append(wrap(_tilewise.input([2] + dims, dtype, "input")))
    if arguments:
        _tilewise.record("result", value=flat(model(*arguments), []))


def trace(model, text, trains):
    if _tilewise.is_unknown(model):
        _tilewise.note("the model is not known: " + _tilewise.reason(model))
        return
    inputs = inputs_of(text)
    if is_torch(model):
        trace_torch(model, inputs, trains)
        return
    if isinstance(model, type) and is_torch_class(model):
        trace_torch(model(), inputs, trains)
        return
    if is_keras(model):
        import _tilewise_keras
        _tilewise_keras.trace(model, inputs)
        return
    if "_tilewise_xla" in sys.modules and not inputs:
        import _tilewise_xla
        if _tilewise_xla.trace(model):
            return
    if "tensorflow" in sys.modules:
        import _tilewise_tf
        if _tilewise_tf.is_tf(model):
            _tilewise_tf.trace(model, inputs)
            return
    import _tilewise_jax
    _tilewise_jax.trace(model, inputs)


def is_keras(model):
    """Something of Keras: a layer, a class of layers, a tensor, or what holds one of them."""
    if getattr(model, "_is_layer", False) or hasattr(model, "_node"):
        return True
    if callable(model) and not isinstance(model, type):
        return "tensorflow" in _python.modules and "jax" not in _python.modules
    return isinstance(model, type) and any(c.__module__.split(".")[0] in ("keras", "tensorflow")
                                           for c in model.__mro__ if c.__module__)


def is_torch_class(cls):
    return any(c.__name__ == "Module" and c.__module__.split(".")[0] == "torch"
               for c in cls.__mro__)
