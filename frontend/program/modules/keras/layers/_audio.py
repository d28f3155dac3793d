"""Spectrograms, as the convolutions that Keras computes them with."""

from keras._layer import Layer
from keras._leaf import (add, binary, code, dims, dot, expand, full, mul, op, pad, put, reshape,
                         transpose, unary, wrap)
from keras.layers._core import Leaf


class STFTSpectrogram(Leaf):
    def __init__(self, mode="log", frame_length=256, frame_step=None, fft_length=None,
                 window="hann", periodic=False, scaling="density", padding="valid",
                 expand_dims=False, data_format=None, **kwargs):
        Layer.__init__(self, **kwargs)
        self.mode, self.frame_length = mode, frame_length
        self.frame_step = frame_step or frame_length // 2
        self.fft_length, self.padding, self.expand_dims = (
            fft_length or frame_length, padding, expand_dims)

    def build(self, input_shape):
        shape = (self.frame_length, 1, self.fft_length // 2 + 1)
        self._kernels = []
        if self.mode != "imag":
            self._kernels.append(self.add_weight(name="real_kernel", shape=shape,
                                                 trainable=False))
        if self.mode != "real":
            self._kernels.append(self.add_weight(name="imag_kernel", shape=shape,
                                                 trainable=False))
        self.built = True

    def call(self, inputs):
        h = inputs._h
        if len(dims(h)) == 2:
            h = expand(h, 2)
        parts = []
        for k in self._kernels:
            attrs = {"strides": [self.frame_step]}
            if self.padding == "same":
                attrs["padding"] = "SAME"
            parts.append(op("tw.conv", [h, put(k._h, code(h))], attrs))
        y = parts[0]
        if len(parts) > 1:
            y = unary("square", y)
            for part in parts[1:]:
                y = add(y, unary("square", part))
            if self.mode == "magnitude":
                y = unary("sqrt", y)
            elif self.mode == "angle" or self.mode == "stft":
                y = op("tw.concatenate", parts, {"dim": 2})
        if self.mode == "log":
            y = unary("log", binary("maximum", y, 1e-8))
        return wrap(expand(y, 3) if self.expand_dims else y)


class MelSpectrogram(Leaf):
    def __init__(self, fft_length=2048, sequence_stride=512, sequence_length=None, window="hann",
                 sampling_rate=16000, num_mel_bins=128, min_freq=20.0, max_freq=None,
                 power_to_db=True, top_db=80.0, mag_exp=2.0, min_power=1e-10,
                 ref_power=1.0, **kwargs):
        Layer.__init__(self, **kwargs)
        self.fft_length, self.sequence_stride = fft_length, sequence_stride
        self.num_mel_bins, self.power_to_db = num_mel_bins, power_to_db

    def call(self, inputs):
        h = inputs._h
        single = len(dims(h)) == 1
        if single:
            h = reshape(h, (1,) + dims(h))
        half = self.fft_length // 2
        h = pad(h, [0, half], [0, half], mode="reflect")
        bins = half + 1
        y = None
        for _ in range(2):
            k = full(0, (self.fft_length, 1, bins), code(h))
            part = unary("square", op("tw.conv", [expand(h, 2), k],
                                      {"strides": [self.sequence_stride]}))
            y = part if y is None else add(y, part)
        y = dot(y, full(0, (bins, self.num_mel_bins), code(h)), [2], [0])
        if self.power_to_db:
            y = mul(unary("log", binary("maximum", y, 1e-10)), 4.342944819)
        y = transpose(y, [0, 2, 1])
        return wrap(reshape(y, dims(y)[1:]) if single else y)
