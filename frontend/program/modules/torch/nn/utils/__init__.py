"""torch.nn.utils."""

from ..._tensor import Tensor, cat
from . import rnn
from . import parametrizations
from .parametrizations import remove_weight_norm, spectral_norm, weight_norm


def clip_grad_norm_(parameters, max_norm, norm_type=2.0, error_if_nonfinite=False, foreach=None):
    import _tilewise
    _tilewise.record("clip", norm=max_norm if isinstance(max_norm, (int, float)) else None)
    return Tensor(1).reshape([])


def clip_grad_value_(parameters, clip_value, foreach=None):
    pass


clip_grad_norm = clip_grad_norm_


def parameters_to_vector(parameters):
    return cat([p.reshape(-1) for p in parameters])


def vector_to_parameters(vec, parameters):
    pass


def fuse_conv_bn_eval(conv, bn, transpose=False):
    return conv


def skip_init(module_cls, *args, **kwargs):
    return module_cls(*args, **kwargs)
