"""Encoders by their names: what they give is one tensor for each halving of the picture."""

import functools

import _tilewise
from torch import nn
from segmentation_models_pytorch.encoders import _nets

_unk = _tilewise.is_unknown


def get_encoder_names():
    return list(_nets.encoders())


def is_known(name):
    return not _unk(name) and _nets.plain(name) in _nets.encoders()


def get_encoder(name, in_channels=3, depth=5, weights=None, output_stride=32, **options):
    if not is_known(name):
        return _tilewise.unknown("the encoder " + str(name) + " of segmentation_models_pytorch")
    encoder = _nets.encoders()[_nets.plain(name)]()
    encoder._depth, encoder.output_stride = depth, output_stride
    if in_channels != 3:
        _take_channels(encoder, in_channels)
    if output_stride != 32:
        for stride, modules in encoder.stages().items():
            if stride > output_stride:
                for module in modules:
                    _dilate(module, stride // output_stride)
    return encoder


def _take_channels(encoder, n):
    """The first convolution takes that many channels."""
    encoder.channels = [n if encoder.channels[0] == 3 else encoder.channels[0]] + \
        list(encoder.channels[1:])
    for parent in encoder.modules():
        for name, child in parent.named_children():
            if isinstance(child, nn.Conv2d) and child.in_channels == 3:
                made = nn.Conv2d(n, child.out_channels, child.kernel_size, child.stride,
                                 child.padding, bias=child.bias is not None)
                setattr(parent, name, made)
                return


def _dilate(module, rate):
    """Convolutions keep the picture's size and look further."""
    for m in module.modules():
        if isinstance(m, nn.Conv2d):
            m.stride, m.dilation = (1, 1), (rate, rate)
            m.padding = tuple([k // 2 * rate for k in m.kernel_size])


def preprocess_input(x, mean=None, std=None, input_space="RGB", input_range=None, **ignored):
    return x


def get_preprocessing_params(encoder_name, pretrained="imagenet"):
    return {"mean": [0.485, 0.456, 0.406], "std": [0.229, 0.224, 0.225], "input_space": "RGB",
            "input_range": [0, 1]}


def get_preprocessing_fn(encoder_name, pretrained="imagenet"):
    return functools.partial(preprocess_input, **get_preprocessing_params(encoder_name))
