"""torch.autograd: of a function of the user's only its forward part is read."""

import _tilewise
from .._tensor import Tensor, state
from . import function, profiler
from .function import Function, FunctionCtx


def Variable(data, requires_grad=False, volatile=False):
    if requires_grad is True and isinstance(data, Tensor):
        data.requires_grad = True
    return data


def grad(outputs, inputs, grad_outputs=None, retain_graph=None, create_graph=False,
         only_inputs=True, allow_unused=None, is_grads_batched=False, materialize_grads=False):
    outputs = [outputs] if isinstance(outputs, Tensor) else list(outputs)
    inputs = [inputs] if isinstance(inputs, Tensor) else list(inputs)
    state.backward = True
    for y in outputs:
        _tilewise.record("backward", by="torch", value=y._h, parameters=[x._h for x in inputs])
    return tuple([x.new_zeros(x.shape) for x in inputs])


def backward(tensors, grad_tensors=None, retain_graph=None, create_graph=False, inputs=None):
    for t in [tensors] if isinstance(tensors, Tensor) else tensors:
        t.backward(inputs=inputs)


class set_detect_anomaly:
    def __init__(self, mode=True, check_nan=True):
        pass

    def __enter__(self):
        return self

    def __exit__(self, *error):
        return False


detect_anomaly = set_detect_anomaly
