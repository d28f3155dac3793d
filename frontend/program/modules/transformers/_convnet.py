"""ConvNeXt and ResNet."""

import torch
from torch.nn import (BatchNorm2d, Conv2d, Flatten, Identity, LayerNorm, Linear, MaxPool2d, Module,
                      ModuleList, Parameter, Sequential)
from transformers import _heads
from transformers.activations import FUNCTIONS
from transformers.modeling_outputs import made
from transformers.modeling_utils import PreTrainedModel


class _ChannelNorm(LayerNorm):
    def forward(self, x):
        return LayerNorm.forward(self, x.permute(0, 2, 3, 1)).permute(0, 3, 1, 2)


class _GRN(Module):
    def __init__(self, dim):
        Module.__init__(self)
        self.weight = Parameter(torch.zeros(1, 1, 1, dim))
        self.bias = Parameter(torch.zeros(1, 1, 1, dim))

    def forward(self, x):
        g = x.square().sum((1, 2), keepdim=True).sqrt()
        n = g / (g.mean(-1, keepdim=True) + 1e-6)
        return self.weight * (x * n) + self.bias + x


class ConvNextLayer(Module):
    def __init__(self, config, dim):
        Module.__init__(self)
        self.dwconv = Conv2d(dim, dim, 7, padding=3, groups=dim)
        self.layernorm = LayerNorm(dim, 1e-6)
        self.pwconv1, self.pwconv2 = Linear(dim, 4 * dim), Linear(4 * dim, dim)
        self.__dict__["act"] = FUNCTIONS[config.hidden_act]
        self.__dict__["second"] = config.model_type == "convnextv2"
        if self.second:
            self.grn = _GRN(4 * dim)
        elif config.layer_scale_init_value > 0:
            self.layer_scale_parameter = Parameter(torch.ones(dim))

    def forward(self, x):
        y = self.dwconv(x).permute(0, 2, 3, 1)
        y = self.act(self.pwconv1(self.layernorm(y)))
        if self.second:
            y = self.grn(y)
        y = self.pwconv2(y)
        if "layer_scale_parameter" in self._parameters:
            y = y * self.layer_scale_parameter
        return x + y.permute(0, 3, 1, 2)


class _Stage(Module):
    def __init__(self, config, before, dim, depth, first):
        Module.__init__(self)
        self.downsampling_layer = ModuleList([] if first else [
            _ChannelNorm(before, 1e-6), Conv2d(before, dim, 2, 2)])
        self.layers = Sequential(*[ConvNextLayer(config, dim) for _ in range(depth)])

    def forward(self, x):
        for layer in self.downsampling_layer:
            x = layer(x)
        return self.layers(x)


class _Embeddings(Module):
    def __init__(self, config):
        Module.__init__(self)
        d, p = config.hidden_sizes[0], config.patch_size
        self.patch_embeddings = Conv2d(config.num_channels, d, p, p)
        self.layernorm = _ChannelNorm(d, 1e-6)

    def forward(self, x):
        return self.layernorm(self.patch_embeddings(x))


class _Stages(Module):
    def __init__(self, stages):
        Module.__init__(self)
        self.stages = ModuleList(stages)

    def forward(self, x):
        for stage in self.stages:
            x = stage(x)
        return x


class ConvNextModel(PreTrainedModel):
    main_input_name = "pixel_values"

    def __init__(self, config):
        PreTrainedModel.__init__(self, config)
        sizes = config.hidden_sizes
        self.embeddings = _Embeddings(config)
        self.encoder = _Stages([
            _Stage(config, sizes[i - 1] if i else sizes[0], sizes[i], config.depths[i], i == 0)
            for i in range(len(sizes))])
        self.layernorm = LayerNorm(sizes[-1], config.layer_norm_eps)
        self.post_init()

    def forward(self, pixel_values=None, output_hidden_states=None, return_dict=None, **kwargs):
        x = self.encoder(self.embeddings(pixel_values))
        return made(return_dict, last_hidden_state=x,
                    pooler_output=self.layernorm(x.mean((2, 3))))


# ---- ResNet


class _Conv(Module):
    def __init__(self, i, o, k=3, stride=1, act="relu"):
        Module.__init__(self)
        self.convolution = Conv2d(i, o, k, stride, k // 2, bias=False)
        self.normalization = BatchNorm2d(o)
        self.__dict__["act"] = FUNCTIONS[act] if act else None

    def forward(self, x):
        x = self.normalization(self.convolution(x))
        return x if self.act is None else self.act(x)


class _Block(Module):
    def __init__(self, config, i, o, stride):
        Module.__init__(self)
        act = config.hidden_act
        self.shortcut = _Conv(i, o, 1, stride, None) if i != o or stride != 1 else Identity()
        if config.layer_type == "bottleneck":
            m = o // 4
            self.layer = Sequential(_Conv(i, m, 1, 1, act), _Conv(m, m, 3, stride, act),
                                    _Conv(m, o, 1, 1, None))
        else:
            self.layer = Sequential(_Conv(i, o, 3, stride, act), _Conv(o, o, 3, 1, None))
        self.__dict__["act"] = FUNCTIONS[act]

    def forward(self, x):
        return self.act(self.layer(x) + self.shortcut(x))


class _ResStage(Module):
    def __init__(self, config, i, o, stride, depth):
        Module.__init__(self)
        self.layers = Sequential(_Block(config, i, o, stride),
                                 *[_Block(config, o, o, 1) for _ in range(depth - 1)])

    def forward(self, x):
        return self.layers(x)


class _Embedder(Module):
    def __init__(self, config):
        Module.__init__(self)
        self.embedder = _Conv(config.num_channels, config.embedding_size, 7, 2,
                              config.hidden_act)
        self.pooler = MaxPool2d(3, 2, 1)

    def forward(self, x):
        return self.pooler(self.embedder(x))


class ResNetModel(PreTrainedModel):
    main_input_name = "pixel_values"

    def __init__(self, config):
        PreTrainedModel.__init__(self, config)
        self.embedder = _Embedder(config)
        before, stages = config.embedding_size, []
        for i, (o, depth) in enumerate(zip(config.hidden_sizes, config.depths)):
            stride = 2 if i or config.downsample_in_first_stage else 1
            stages.append(_ResStage(config, before, o, stride, depth))
            before = o
        self.encoder = _Stages(stages)
        self.post_init()

    def forward(self, pixel_values=None, output_hidden_states=None, return_dict=None, **kwargs):
        x = self.encoder(self.embedder(pixel_values))
        return made(return_dict, last_hidden_state=x, pooler_output=x.mean((2, 3)))


class ForImageClassification(PreTrainedModel):
    main_input_name = "pixel_values"
    _kind = "convnext"

    def __init__(self, config):
        PreTrainedModel.__init__(self, config)
        from transformers._registry import make
        self.__dict__["num_labels"] = config.num_labels
        setattr(self, self.base_model_prefix, make(self._kind, "Model")(config))
        head = Linear(config.hidden_sizes[-1], config.num_labels)
        self.classifier = Sequential(Flatten(), head) if self._kind == "resnet" else head
        self.post_init()

    def forward(self, pixel_values=None, labels=None, output_hidden_states=None,
                return_dict=None, **kwargs):
        logits = self.classifier(
            getattr(self, self.base_model_prefix)(pixel_values)["pooler_output"])
        loss = None if labels is None else _heads.class_loss(self.config, logits, labels)
        return made(return_dict, loss=loss, logits=logits)


def heads(kind):
    return {"Model": ResNetModel if kind == "resnet" else ConvNextModel,
            "ForImageClassification": ForImageClassification,
            "PreTrainedModel": PreTrainedModel}
