"""ViT, DeiT, DINOv2, BEiT and masked autoencoders: patches of images as tokens."""

import torch
from torch.nn import Conv2d, Dropout, Identity, LayerNorm, Linear, Module, ModuleList, Parameter
from torch.nn import functional as F
from transformers import _heads
from transformers._parts import attend
from transformers.activations import FUNCTIONS
from transformers.modeling_outputs import made
from transformers.modeling_utils import PreTrainedModel


def _pair(n):
    return tuple(n) if isinstance(n, (tuple, list)) else (n, n)


class ViTPatchEmbeddings(Module):
    def __init__(self, config):
        Module.__init__(self)
        size, patch = _pair(config.image_size), _pair(config.patch_size)
        self.__dict__["num_patches"] = (size[0] // patch[0]) * (size[1] // patch[1])
        self.projection = Conv2d(config.num_channels, config.hidden_size, patch, patch)

    def forward(self, pixel_values):
        return self.projection(pixel_values).flatten(2).transpose(1, 2)


class ViTEmbeddings(Module):
    def __init__(self, config, kind):
        Module.__init__(self)
        h = config.hidden_size
        c = config.__dict__
        self.cls_token = Parameter(torch.zeros(1, 1, h))
        self.__dict__["extra"] = 2 if kind == "deit" else 1
        if kind == "deit":
            self.distillation_token = Parameter(torch.zeros(1, 1, h))
        if kind == "dinov2":
            self.mask_token = Parameter(torch.zeros(1, h))
        if c.get("use_mask_token"):
            self.mask_token = Parameter(torch.zeros(1, 1, h))
        self.patch_embeddings = ViTPatchEmbeddings(config)
        n = self.patch_embeddings.num_patches + self.extra
        if kind != "beit" or c["use_absolute_position_embeddings"]:
            self.position_embeddings = Parameter(torch.zeros(1, n, h), kind != "vit_mae")
        else:
            self.position_embeddings = None
        self.dropout = Dropout(config.hidden_dropout_prob)

    def _places(self, n):
        p = self.position_embeddings
        if p.shape[1] == n:
            return p
        # Images of another size: positions are interpolated.
        side, new = int((p.shape[1] - self.extra) ** 0.5), int((n - self.extra) ** 0.5)
        grid = p.narrow(1, self.extra, side * side).reshape(1, side, side, -1)
        grid = F.interpolate(grid.permute(0, 3, 1, 2), (new, new), mode="bicubic")
        grid = grid.permute(0, 2, 3, 1).reshape(1, new * new, -1)
        return torch.cat([p.narrow(1, 0, self.extra), grid], 1)

    def forward(self, pixel_values, bool_masked_pos=None, **kwargs):
        x = self.patch_embeddings(pixel_values)
        b, n, h = x.shape
        if bool_masked_pos is not None:
            m = bool_masked_pos.unsqueeze(-1).to(x.dtype)
            x = x * (1.0 - m) + self.mask_token * m
        parts = [self.cls_token.expand(b, 1, h)]
        if self.extra == 2:
            parts.append(self.distillation_token.expand(b, 1, h))
        x = torch.cat(parts + [x], 1)
        if self.position_embeddings is not None:
            x = x + self._places(x.shape[1])
        return self.dropout(x)


class ViTSelfAttention(Module):
    def __init__(self, config, kind):
        Module.__init__(self)
        h, bias = config.hidden_size, config.qkv_bias if kind != "beit" else True
        self.__dict__["heads"] = config.num_attention_heads
        self.__dict__["drop"] = config.attention_probs_dropout_prob
        self.query, self.value = Linear(h, h, bias), Linear(h, h, bias)
        self.key = Linear(h, h, bias and kind != "beit")
        if kind == "beit" and config.use_relative_position_bias:
            self.relative_position_bias = RelativeBias(config)

    def forward(self, x, bias=None):
        b, t, h = x.shape
        a = self.heads
        q, k, v = [p(x).reshape(b, t, a, h // a).transpose(1, 2)
                   for p in (self.query, self.key, self.value)]
        if "relative_position_bias" in self._modules:
            bias = self.relative_position_bias(x.dtype)
        return attend(q, k, v, bias, False, dropout=self.drop if self.training else 0.0)


class RelativeBias(Module):
    def __init__(self, config):
        Module.__init__(self)
        size, patch = _pair(config.image_size), _pair(config.patch_size)
        self.__dict__["window"] = size[0] // patch[0], size[1] // patch[1]
        h, w = self.window
        n = (2 * h - 1) * (2 * w - 1) + 3
        self.relative_position_bias_table = Parameter(torch.zeros(n, config.num_attention_heads))

    def forward(self, dtype):
        h, w = self.window
        table = self.relative_position_bias_table
        n = h * w + 1
        # Which row each pair takes is fixed; here it is an input that stands for it.
        rows = torch.randint(0, table.shape[0], (n, n))
        return table[rows].permute(2, 0, 1).unsqueeze(0).to(dtype)


class _Output(Module):
    def __init__(self, first, last, rate):
        Module.__init__(self)
        self.dense, self.dropout = Linear(first, last), Dropout(rate)

    def forward(self, x, *rest):
        return self.dropout(self.dense(x))


class ViTAttention(Module):
    def __init__(self, config, kind):
        Module.__init__(self)
        self.attention = ViTSelfAttention(config, kind)
        self.output = _Output(config.hidden_size, config.hidden_size, config.hidden_dropout_prob)

    def forward(self, x, bias=None):
        return self.output(self.attention(x, bias))


class _Intermediate(Module):
    def __init__(self, config):
        Module.__init__(self)
        self.dense = Linear(config.hidden_size, config.intermediate_size)
        self.__dict__["act"] = FUNCTIONS[config.hidden_act]

    def forward(self, x):
        return self.act(self.dense(x))


class ViTLayer(Module):
    def __init__(self, config, kind="vit"):
        Module.__init__(self)
        h, eps = config.hidden_size, config.layer_norm_eps
        self.attention = ViTAttention(config, kind)
        self.intermediate = _Intermediate(config)
        self.output = _Output(config.intermediate_size, h, config.hidden_dropout_prob)
        self.layernorm_before, self.layernorm_after = LayerNorm(h, eps), LayerNorm(h, eps)
        self.__dict__["scaled"] = kind == "beit" and config.layer_scale_init_value > 0
        if self.scaled:
            self.lambda_1, self.lambda_2 = Parameter(torch.ones(h)), Parameter(torch.ones(h))

    def forward(self, x, bias=None):
        y = self.attention(self.layernorm_before(x), bias)
        x = x + (y * self.lambda_1 if self.scaled else y)
        y = self.output(self.intermediate(self.layernorm_after(x)))
        return x + (y * self.lambda_2 if self.scaled else y)


class _Scale(Module):
    def __init__(self, n):
        Module.__init__(self)
        self.lambda1 = Parameter(torch.ones(n))

    def forward(self, x):
        return x * self.lambda1


class _MLP(Module):
    def __init__(self, h, i, act):
        Module.__init__(self)
        self.fc1, self.fc2 = Linear(h, i), Linear(i, h)
        self.__dict__["act"] = FUNCTIONS[act]

    def forward(self, x):
        return self.fc2(self.act(self.fc1(x)))


class _SwiGLU(Module):
    def __init__(self, h, i):
        Module.__init__(self)
        i = (int(i * 2 / 3) + 7) // 8 * 8
        self.weights_in, self.weights_out = Linear(h, 2 * i), Linear(i, h)

    def forward(self, x):
        a, b = self.weights_in(x).chunk(2, -1)
        return self.weights_out(F.silu(a) * b)


class Dinov2Layer(Module):
    def __init__(self, config, kind="dinov2"):
        Module.__init__(self)
        h, eps = config.hidden_size, config.layer_norm_eps
        i = int(h * config.mlp_ratio)
        self.norm1, self.attention, self.layer_scale1 = (
            LayerNorm(h, eps), ViTAttention(config, kind), _Scale(h))
        self.norm2, self.layer_scale2 = LayerNorm(h, eps), _Scale(h)
        self.mlp = _SwiGLU(h, i) if config.use_swiglu_ffn else _MLP(h, i, config.hidden_act)

    def forward(self, x, bias=None):
        x = x + self.layer_scale1(self.attention(self.norm1(x)))
        return x + self.layer_scale2(self.mlp(self.norm2(x)))


class ViTEncoder(Module):
    def __init__(self, config, kind):
        Module.__init__(self)
        layer = Dinov2Layer if kind == "dinov2" else ViTLayer
        if kind == "beit" and config.use_shared_relative_position_bias:
            self.relative_position_bias = RelativeBias(config)
        self.layer = ModuleList([layer(config, kind) for _ in range(config.num_hidden_layers)])

    def forward(self, x, states):
        bias = None
        if "relative_position_bias" in self._modules:
            bias = self.relative_position_bias(x.dtype)
        for layer in self.layer:
            states.append(x)
            x = layer(x, bias)
        return x


class _Pooler(Module):
    def __init__(self, config, kind):
        Module.__init__(self)
        h = config.hidden_size
        self.__dict__["mean"] = kind == "beit"
        if kind == "beit":
            self.layernorm = LayerNorm(h, config.layer_norm_eps) if config.use_mean_pooling \
                else None
        else:
            self.dense = Linear(h, h)

    def forward(self, x):
        if not self.mean:
            return self.dense(x.select(1, 0)).tanh()
        if self.layernorm is None:
            return x.select(1, 0)
        return self.layernorm(x.narrow(1, 1, x.shape[1] - 1).mean(1))


class ViTModel(PreTrainedModel):
    main_input_name = "pixel_values"
    _kind = "vit"

    def __init__(self, config, add_pooling_layer=True, use_mask_token=False):
        PreTrainedModel.__init__(self, config)
        kind = self._kind
        h = config.hidden_size
        self.embeddings = ViTEmbeddings(config, kind)
        if use_mask_token and kind != "dinov2":
            self.embeddings.mask_token = Parameter(torch.zeros(1, 1, h))
        self.encoder = ViTEncoder(config, kind)
        plain = kind == "beit" and config.use_mean_pooling
        self.layernorm = Identity() if plain else LayerNorm(h, config.layer_norm_eps)
        pooled = add_pooling_layer and kind not in ("dinov2", "vit_mae")
        self.pooler = _Pooler(config, kind) if pooled else None
        self.post_init()

    def get_input_embeddings(self):
        return self.embeddings.patch_embeddings

    def forward(self, pixel_values=None, bool_masked_pos=None, head_mask=None,
                output_attentions=None, output_hidden_states=None,
                interpolate_pos_encoding=None, return_dict=None, **kwargs):
        states = []
        x = self.encoder(self.embeddings(pixel_values, bool_masked_pos), states)
        x = self.layernorm(x)
        pooled = None if self.pooler is None else self.pooler(x)
        if self._kind == "dinov2":
            pooled = x.select(1, 0)
        return made(return_dict, last_hidden_state=x, pooler_output=pooled,
                    hidden_states=tuple(states + [x]) if output_hidden_states else None)


class ViTForImageClassification(PreTrainedModel):
    main_input_name = "pixel_values"
    _kind = "vit"

    def __init__(self, config):
        PreTrainedModel.__init__(self, config)
        from transformers._registry import make
        kind = self._kind
        self.__dict__["num_labels"] = config.num_labels
        base = make(kind, "Model")
        setattr(self, self.base_model_prefix, base(config, add_pooling_layer=kind == "beit"))
        width = config.hidden_size * (2 if kind == "dinov2" else 1)
        self.classifier = Linear(width, config.num_labels) if config.num_labels else Identity()
        self.post_init()

    def _features(self, out):
        x = out["last_hidden_state"]
        if self._kind == "beit":
            return out["pooler_output"]
        if self._kind == "dinov2":
            return torch.cat([x.select(1, 0), x.narrow(1, 1, x.shape[1] - 1).mean(1)], 1)
        return x.select(1, 0)

    def forward(self, pixel_values=None, head_mask=None, labels=None, output_attentions=None,
                output_hidden_states=None, interpolate_pos_encoding=None, return_dict=None,
                **kwargs):
        out = getattr(self, self.base_model_prefix)(pixel_values)
        logits = self.classifier(self._features(out))
        loss = None if labels is None else _heads.class_loss(self.config, logits, labels)
        return made(return_dict, loss=loss, logits=logits)


class DeiTForImageClassificationWithTeacher(PreTrainedModel):
    main_input_name = "pixel_values"
    _kind = "deit"

    def __init__(self, config):
        PreTrainedModel.__init__(self, config)
        from transformers._registry import make
        self.deit = make("deit", "Model")(config, add_pooling_layer=False)
        self.cls_classifier = Linear(config.hidden_size, config.num_labels)
        self.distillation_classifier = Linear(config.hidden_size, config.num_labels)
        self.post_init()

    def forward(self, pixel_values=None, return_dict=None, **kwargs):
        x = self.deit(pixel_values)["last_hidden_state"]
        a, b = self.cls_classifier(x.select(1, 0)), self.distillation_classifier(x.select(1, 1))
        return made(return_dict, logits=(a + b) / 2, cls_logits=a, distillation_logits=b)


def heads(kind):
    found = {"Model": ViTModel, "PreTrainedModel": PreTrainedModel,
             "ForImageClassification": ViTForImageClassification}
    if kind == "deit":
        found["ForImageClassificationWithTeacher"] = DeiTForImageClassificationWithTeacher
    elif kind in ("vit_mae", "vit"):
        from transformers import _vit_masked
        found.update(_vit_masked.heads(kind))
    return found


def part(kind, name):
    return {"Layer": ViTLayer, "Attention": ViTAttention, "Embeddings": ViTEmbeddings,
            "PatchEmbeddings": ViTPatchEmbeddings}.get(name)
