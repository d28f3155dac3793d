"""torch.nn.init: what numbers weights start with does not matter here, but it must be accepted."""

import math


def _keep(tensor, *args, **kwargs):
    return tensor


uniform_ = normal_ = trunc_normal_ = constant_ = ones_ = zeros_ = eye_ = dirac_ = _keep
xavier_uniform_ = xavier_normal_ = kaiming_uniform_ = kaiming_normal_ = orthogonal_ = _keep
sparse_ = xavier_uniform = xavier_normal = kaiming_uniform = kaiming_normal = _keep
uniform = normal = constant = orthogonal = _no_grad_normal_ = _no_grad_uniform_ = _keep


def calculate_gain(nonlinearity, param=None):
    if nonlinearity == "tanh":
        return 5.0 / 3
    if nonlinearity == "relu":
        return math.sqrt(2.0)
    if nonlinearity == "leaky_relu":
        return math.sqrt(2.0 / (1 + (0.01 if param is None else param) ** 2))
    return 3.0 / 4 if nonlinearity == "selu" else 1


def _calculate_fan_in_and_fan_out(tensor):
    rows, columns, field = tensor.shape[0], tensor.shape[1], math.prod(tensor.shape[2:])
    return columns * field, rows * field


def _calculate_correct_fan(tensor, mode):
    return _calculate_fan_in_and_fan_out(tensor)[0 if mode == "fan_in" else 1]
