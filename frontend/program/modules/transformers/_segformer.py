"""SegFormer: encoders of four sizes, and a head that joins them."""

import torch
from torch.nn import BatchNorm2d, Conv2d, Dropout, LayerNorm, Linear, Module, ModuleList
from torch.nn import functional as F
from transformers import _heads
from transformers._parts import attend
from transformers.activations import FUNCTIONS
from transformers.modeling_outputs import made
from transformers.modeling_utils import PreTrainedModel


class _Patches(Module):
    def __init__(self, patch, stride, before, dim):
        Module.__init__(self)
        self.proj = Conv2d(before, dim, patch, stride, patch // 2)
        self.layer_norm = LayerNorm(dim)

    def forward(self, x):
        x = self.proj(x)
        return self.layer_norm(x.flatten(2).transpose(1, 2)), x.shape[2], x.shape[3]


class _Self(Module):
    def __init__(self, config, dim, heads, ratio):
        Module.__init__(self)
        self.__dict__["heads"], self.__dict__["ratio"] = heads, ratio
        self.query, self.key, self.value = [Linear(dim, dim) for _ in range(3)]
        if ratio > 1:
            self.sr, self.layer_norm = Conv2d(dim, dim, ratio, ratio), LayerNorm(dim)

    def forward(self, x, h, w):
        b, t, d = x.shape
        a, source = self.heads, x
        if self.ratio > 1:
            y = self.sr(x.transpose(1, 2).reshape(b, d, h, w))
            source = self.layer_norm(y.flatten(2).transpose(1, 2))
        n = source.shape[1]
        q = self.query(x).reshape(b, t, a, d // a).transpose(1, 2)
        k = self.key(source).reshape(b, n, a, d // a).transpose(1, 2)
        v = self.value(source).reshape(b, n, a, d // a).transpose(1, 2)
        return attend(q, k, v, None, False)


class _Out(Module):
    def __init__(self, dim):
        Module.__init__(self)
        self.dense = Linear(dim, dim)

    def forward(self, x):
        return self.dense(x)


class _Attention(Module):
    def __init__(self, config, dim, heads, ratio):
        Module.__init__(self)
        self.self, self.output = _Self(config, dim, heads, ratio), _Out(dim)

    def forward(self, x, h, w):
        return self.output(self.self(x, h, w))


class _Depth(Module):
    def __init__(self, dim):
        Module.__init__(self)
        self.dwconv = Conv2d(dim, dim, 3, 1, 1, groups=dim)

    def forward(self, x, h, w):
        b, t, d = x.shape
        return self.dwconv(x.transpose(1, 2).reshape(b, d, h, w)).flatten(2).transpose(1, 2)


class _Mix(Module):
    def __init__(self, config, dim, width):
        Module.__init__(self)
        self.dense1, self.dwconv, self.dense2 = (
            Linear(dim, width), _Depth(width), Linear(width, dim))
        self.__dict__["act"] = FUNCTIONS[config.hidden_act]

    def forward(self, x, h, w):
        return self.dense2(self.act(self.dwconv(self.dense1(x), h, w)))


class SegformerLayer(Module):
    def __init__(self, config, dim, heads, ratio, mlp):
        Module.__init__(self)
        self.layer_norm_1, self.attention = LayerNorm(dim), _Attention(config, dim, heads, ratio)
        self.layer_norm_2, self.mlp = LayerNorm(dim), _Mix(config, dim, dim * mlp)

    def forward(self, x, h, w):
        x = x + self.attention(self.layer_norm_1(x), h, w)
        return x + self.mlp(self.layer_norm_2(x), h, w)


class _Encoder(Module):
    def __init__(self, config):
        Module.__init__(self)
        c = config
        sizes = c.hidden_sizes
        n = range(c.num_encoder_blocks)
        self.patch_embeddings = ModuleList([
            _Patches(c.patch_sizes[i], c.strides[i], sizes[i - 1] if i else c.num_channels,
                     sizes[i]) for i in n])
        self.block = ModuleList([ModuleList([
            SegformerLayer(c, sizes[i], c.num_attention_heads[i], c.sr_ratios[i],
                           c.mlp_ratios[i]) for _ in range(c.depths[i])]) for i in n])
        self.layer_norm = ModuleList([LayerNorm(sizes[i]) for i in n])

    def forward(self, x):
        found = []
        for patches, block, norm in zip(self.patch_embeddings, self.block, self.layer_norm):
            x, h, w = patches(x)
            for layer in block:
                x = layer(x, h, w)
            x = norm(x)
            x = x.transpose(1, 2).reshape(x.shape[0], -1, h, w)
            found.append(x)
        return found


class SegformerModel(PreTrainedModel):
    main_input_name = "pixel_values"

    def __init__(self, config):
        PreTrainedModel.__init__(self, config)
        self.encoder = _Encoder(config)
        self.post_init()

    def forward(self, pixel_values=None, output_hidden_states=None, return_dict=None, **kwargs):
        found = self.encoder(pixel_values)
        return made(return_dict, last_hidden_state=found[-1], hidden_states=tuple(found))


class ForImageClassification(PreTrainedModel):
    main_input_name = "pixel_values"

    def __init__(self, config):
        PreTrainedModel.__init__(self, config)
        self.__dict__["num_labels"] = config.num_labels
        self.segformer = SegformerModel(config)
        self.classifier = Linear(config.hidden_sizes[-1], config.num_labels)
        self.post_init()

    def forward(self, pixel_values=None, labels=None, return_dict=None, **kwargs):
        x = self.segformer(pixel_values)["last_hidden_state"]
        logits = self.classifier(x.mean((2, 3)))
        loss = None if labels is None else _heads.class_loss(self.config, logits, labels)
        return made(return_dict, loss=loss, logits=logits)


class _Proj(Module):
    def __init__(self, i, o):
        Module.__init__(self)
        self.proj = Linear(i, o)

    def forward(self, x):
        return self.proj(x.flatten(2).transpose(1, 2))


class _DecodeHead(Module):
    def __init__(self, config):
        Module.__init__(self)
        d = config.decoder_hidden_size
        self.linear_c = ModuleList([_Proj(n, d) for n in config.hidden_sizes])
        self.linear_fuse = Conv2d(d * config.num_encoder_blocks, d, 1, bias=False)
        self.batch_norm = BatchNorm2d(d)
        self.dropout = Dropout(config.classifier_dropout_prob)
        self.classifier = Conv2d(d, config.num_labels, 1)

    def forward(self, found):
        b, _, h, w = found[0].shape
        parts = []
        for x, project in zip(found, self.linear_c):
            y = project(x).transpose(1, 2).reshape(b, -1, x.shape[2], x.shape[3])
            parts.append(F.interpolate(y, (h, w), mode="bilinear"))
        x = self.linear_fuse(torch.cat(parts[::-1], 1))
        return self.classifier(self.dropout(self.batch_norm(x).relu()))


class ForSemanticSegmentation(PreTrainedModel):
    main_input_name = "pixel_values"

    def __init__(self, config):
        PreTrainedModel.__init__(self, config)
        self.segformer, self.decode_head = SegformerModel(config), _DecodeHead(config)
        self.post_init()

    def forward(self, pixel_values=None, labels=None, return_dict=None, **kwargs):
        logits = self.decode_head(self.segformer(pixel_values)["hidden_states"])
        loss = None
        if labels is not None:
            big = F.interpolate(logits, tuple(labels.shape[-2:]), mode="bilinear")
            loss = F.cross_entropy(big, labels,
                                   ignore_index=self.config.semantic_loss_ignore_index)
        return made(return_dict, loss=loss, logits=logits)


def heads(kind):
    return {"Model": SegformerModel, "ForImageClassification": ForImageClassification,
            "ForSemanticSegmentation": ForSemanticSegmentation,
            "PreTrainedModel": PreTrainedModel}
