"""Convolutions and pools of one example: channels first."""

import math

import jax
import jax.numpy as jnp
from jax import lax
from .._module import Module, field
from ._layers import uniform


def _many(value, n):
    return tuple(value) if isinstance(value, (tuple, list)) else (value,) * n


def _pads(padding, n):
    if isinstance(padding, str):
        return padding
    return [(p, p) if isinstance(p, int) else tuple(p) for p in _many(padding, n)]


class Conv(Module):
    num_spatial_dims: int = field(static=True)
    weight: object
    bias: object
    kernel_size: tuple = field(static=True)
    stride: tuple = field(static=True)
    padding: object = field(static=True)
    dilation: tuple = field(static=True)
    groups: int = field(static=True)
    in_channels: int = field(static=True)
    out_channels: int = field(static=True)

    def __init__(self, num_spatial_dims, in_channels, out_channels, kernel_size, stride=1,
                 padding=0, dilation=1, groups=1, use_bias=True, padding_mode="ZEROS", dtype=None,
                 *, key):
        n = num_spatial_dims
        self.num_spatial_dims, self.kernel_size = n, _many(kernel_size, n)
        self.stride, self.dilation, self.padding = (
            _many(stride, n), _many(dilation, n), _pads(padding, n))
        limit = 1 / math.sqrt(in_channels // groups * math.prod(self.kernel_size))
        self.weight = uniform(key, (out_channels, in_channels // groups) + self.kernel_size,
                              limit, dtype)
        self.bias = uniform(key, (out_channels,) + (1,) * n, limit, dtype) if use_bias else None
        self.groups, self.in_channels, self.out_channels = groups, in_channels, out_channels

    def __call__(self, x, *, key=None):
        y = lax.conv_general_dilated(
            jnp.expand_dims(x, 0), self.weight, self.stride, self.padding, None, self.dilation,
            _LETTERS[self.num_spatial_dims], self.groups)
        y = jnp.squeeze(y, 0)
        return y if self.bias is None else y + self.bias


_LETTERS = {1: ("NCH", "OIH", "NCH"), 2: ("NCHW", "OIHW", "NCHW"), 3: ("NCDHW", "OIDHW", "NCDHW")}


class ConvTranspose(Conv):
    output_padding: tuple = field(static=True)

    def __init__(self, num_spatial_dims, in_channels, out_channels, kernel_size, stride=1,
                 padding=0, output_padding=0, dilation=1, groups=1, use_bias=True,
                 padding_mode="ZEROS", dtype=None, *, key):
        Conv.__init__(self, num_spatial_dims, in_channels, out_channels, kernel_size, stride,
                      padding, dilation, groups, use_bias, padding_mode, dtype, key=key)
        self.output_padding = _many(output_padding, num_spatial_dims)

    def __call__(self, x, *, key=None):
        pads = self.padding
        if not isinstance(pads, str):
            pads = [(d * (k - 1) - low, d * (k - 1) - high + more) for k, (low, high), more, d in
                    zip(self.kernel_size, pads, self.output_padding, self.dilation)]
        y = lax.conv_general_dilated(
            jnp.expand_dims(x, 0), self.weight, (1,) * self.num_spatial_dims, pads, self.stride,
            self.dilation, _LETTERS[self.num_spatial_dims], self.groups)
        y = jnp.squeeze(y, 0)
        return y if self.bias is None else y + self.bias


def _sized(base, n):
    class Kind(base):
        def __init__(self, *args, **kwargs):
            base.__init__(self, n, *args, **kwargs)
    Kind.__name__ = Kind.__qualname__ = base.__name__ + str(n) + "d"
    return Kind


Conv1d, Conv2d, Conv3d = _sized(Conv, 1), _sized(Conv, 2), _sized(Conv, 3)
ConvTranspose1d, ConvTranspose2d, ConvTranspose3d = (
    _sized(ConvTranspose, 1), _sized(ConvTranspose, 2), _sized(ConvTranspose, 3))


class Pool(Module):
    n: int = field(static=True)
    kernel_size: tuple = field(static=True)
    stride: tuple = field(static=True)
    padding: object = field(static=True)

    def __init__(self, n, kernel_size, stride=None, padding=0, use_ceil=False, **options):
        self.n, self.kernel_size = n, _many(kernel_size, n)
        self.stride = _many(1 if stride is None else stride, n)
        self.padding = _pads(padding, n)

    def _run(self, x, start, function):
        pads = self.padding if isinstance(self.padding, str) else [(0, 0)] + list(self.padding)
        return lax.reduce_window(x, start, function, (1,) + self.kernel_size, (1,) + self.stride,
                                 pads)


class _Max(Pool):
    def __call__(self, x, *, key=None):
        return self._run(x, -jnp.inf, lax.max)


class _Avg(Pool):
    def __call__(self, x, *, key=None):
        return self._run(x, 0.0, lax.add) / math.prod(self.kernel_size)


MaxPool1d, MaxPool2d, MaxPool3d = _sized(_Max, 1), _sized(_Max, 2), _sized(_Max, 3)
AvgPool1d, AvgPool2d, AvgPool3d = _sized(_Avg, 1), _sized(_Avg, 2), _sized(_Avg, 3)


class _Adaptive(Module):
    n: int = field(static=True)
    target: tuple = field(static=True)
    kind: str = field(static=True)

    def __init__(self, n, kind, target_shape):
        self.n, self.kind, self.target = n, kind, _many(target_shape, n)

    def __call__(self, x, *, key=None):
        shape = [x.shape[0]]
        for size, parts in zip(x.shape[1:], self.target):
            shape += [parts, size // parts]
        x = x[tuple([slice(None)] + [slice(0, p * (s // p)) for s, p in
                                     zip(x.shape[1:], self.target)])]
        x = jnp.reshape(x, tuple(shape))
        axes = tuple(range(2, 2 * self.n + 1, 2))
        return jnp.mean(x, axes) if self.kind == "mean" else jnp.max(x, axes)


def _adaptive(n, kind):
    class Kind(_Adaptive):
        def __init__(self, target_shape):
            _Adaptive.__init__(self, n, kind, target_shape)
    return Kind


AdaptiveAvgPool1d, AdaptiveAvgPool2d, AdaptiveMaxPool2d = (
    _adaptive(1, "mean"), _adaptive(2, "mean"), _adaptive(2, "max"))
