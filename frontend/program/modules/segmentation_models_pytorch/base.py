"""What the models are made of."""

import torch
from torch import nn


class Conv2dReLU(nn.Sequential):
    def __init__(self, in_channels, out_channels, kernel_size, padding=0, stride=1,
                 use_norm="batchnorm", use_batchnorm=None):
        kind = use_norm if use_batchnorm is None else use_batchnorm
        kind = kind.get("type") if isinstance(kind, dict) else kind
        norms = {True: nn.BatchNorm2d, "batchnorm": nn.BatchNorm2d, "inplace": nn.BatchNorm2d,
                 "layernorm": nn.LayerNorm, "instancenorm": nn.InstanceNorm2d}
        norm = norms[kind](out_channels) if kind in norms else nn.Identity()
        plain = isinstance(norm, nn.Identity)
        nn.Sequential.__init__(self, nn.Conv2d(in_channels, out_channels, kernel_size, stride,
                                               padding, bias=plain),
                               norm, nn.ReLU(inplace=True))


def gate(n, reduction=16):
    """A weight for each channel, of the whole picture."""
    inner = max(1, n // reduction)
    return nn.Sequential(nn.AdaptiveAvgPool2d(1), nn.Conv2d(n, inner, 1), nn.ReLU(inplace=True),
                         nn.Conv2d(inner, n, 1), nn.Sigmoid())


class SCSEModule(nn.Module):
    def __init__(self, in_channels, reduction=16):
        super().__init__()
        self.cSE = gate(in_channels, reduction)
        self.sSE = nn.Sequential(nn.Conv2d(in_channels, 1, 1), nn.Sigmoid())

    def forward(self, x):
        return x * self.cSE(x) + x * self.sSE(x)


def attention(kind, in_channels):
    return nn.Identity() if kind is None else SCSEModule(in_channels)


class Activation(nn.Module):
    def __init__(self, name, **params):
        super().__init__()
        made = {None: nn.Identity, "identity": nn.Identity, "sigmoid": nn.Sigmoid,
                "tanh": nn.Tanh, "logsoftmax": nn.LogSoftmax}
        if name in ("softmax2d", "softmax"):
            self.activation = nn.Softmax(dim=1)
        elif callable(name):
            self.activation = name(**params)
        else:
            self.activation = made[name](**params)

    def forward(self, x):
        return self.activation(x)


class SegmentationHead(nn.Sequential):
    def __init__(self, in_channels, out_channels, kernel_size=3, activation=None, upsampling=1):
        up = nn.Upsample(scale_factor=upsampling, mode="bilinear", align_corners=True) \
            if upsampling > 1 else nn.Identity()
        nn.Sequential.__init__(self, nn.Conv2d(in_channels, out_channels, kernel_size,
                                               padding=kernel_size // 2), up,
                               Activation(activation))


class ClassificationHead(nn.Sequential):
    def __init__(self, in_channels, classes, pooling="avg", dropout=0.2, activation=None):
        pool = nn.AdaptiveAvgPool2d(1) if pooling == "avg" else nn.AdaptiveMaxPool2d(1)
        nn.Sequential.__init__(self, pool, nn.Flatten(),
                               nn.Dropout(dropout) if dropout else nn.Identity(),
                               nn.Linear(in_channels, classes), Activation(activation))


class SegmentationModel(nn.Module):
    def __new__(cls, encoder_name="resnet34", *args, **kwargs):
        from segmentation_models_pytorch import encoders
        import _tilewise
        if cls.__module__.startswith("segmentation_models_pytorch.") and \
                not encoders.is_known(encoder_name):
            return encoders.get_encoder(encoder_name)
        return nn.Module.__new__(cls)

    def _finish(self, encoder, decoder, head, aux_params):
        self.encoder, self.decoder, self.segmentation_head = encoder, decoder, head
        self.classification_head = None if aux_params is None else ClassificationHead(
            encoder.out_channels[-1], **aux_params)

    def forward(self, x):
        features = self.encoder(x)
        masks = self.segmentation_head(self.decoder(features))
        if self.classification_head is None:
            return masks
        return masks, self.classification_head(features[-1])

    def predict(self, x):
        with torch.no_grad():
            return self.eval()(x)

    def freeze_encoder(self):
        for p in self.encoder.parameters():
            p.requires_grad = False

    def initialize(self):
        pass

    def save_pretrained(self, *args, **kwargs):
        pass
