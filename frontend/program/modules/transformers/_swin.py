"""Swin: attention in windows that are shifted from layer to layer."""

import torch
from torch.nn import Conv2d, Dropout, LayerNorm, Linear, Module, ModuleList, Parameter
from torch.nn import functional as F
from transformers import _heads
from transformers._parts import attend
from transformers._vit import _Intermediate, _Output, _pair
from transformers.activations import FUNCTIONS
from transformers.modeling_outputs import made
from transformers.modeling_utils import PreTrainedModel


class _Patches(Module):
    def __init__(self, config):
        Module.__init__(self)
        patch = _pair(config.patch_size)
        self.projection = Conv2d(config.num_channels, config.embed_dim, patch, patch)

    def forward(self, pixel_values):
        x = self.projection(pixel_values)
        return x.permute(0, 2, 3, 1)


class _Embeddings(Module):
    def __init__(self, config, use_mask_token=False):
        Module.__init__(self)
        self.patch_embeddings = _Patches(config)
        if use_mask_token:
            self.mask_token = Parameter(torch.zeros(1, 1, config.embed_dim))
        if config.use_absolute_embeddings:
            n = (_pair(config.image_size)[0] // config.patch_size) ** 2
            self.position_embeddings = Parameter(torch.zeros(1, n, config.embed_dim))
        self.norm, self.dropout = LayerNorm(config.embed_dim), Dropout(config.hidden_dropout_prob)

    def forward(self, pixel_values, bool_masked_pos=None):
        x = self.norm(self.patch_embeddings(pixel_values))
        if bool_masked_pos is not None:
            b, h, w, d = x.shape
            m = bool_masked_pos.reshape(b, h, w, 1).to(x.dtype)
            x = x * (1.0 - m) + self.mask_token.reshape(1, 1, 1, d) * m
        return self.dropout(x)


class _SelfAttention(Module):
    def __init__(self, config, dim, heads, window):
        Module.__init__(self)
        own = self.__dict__
        own["heads"], own["window"] = heads, window
        own["drop"] = config.attention_probs_dropout_prob
        self.relative_position_bias_table = Parameter(torch.zeros((2 * window - 1) ** 2, heads))
        bias = config.qkv_bias
        self.query, self.key, self.value = [Linear(dim, dim, bias) for _ in range(3)]

    def forward(self, x, mask=None):
        b, t, d = x.shape
        a = self.heads
        q, k, v = [p(x).reshape(b, t, a, d // a).transpose(1, 2)
                   for p in (self.query, self.key, self.value)]
        table = self.relative_position_bias_table
        # Which row each pair takes is fixed; here it is an input that stands for it.
        rows = torch.randint(0, table.shape[0], (t, t))
        bias = table[rows].permute(2, 0, 1).unsqueeze(0).to(x.dtype)
        if mask is not None:
            n = mask.shape[0]
            bias = (bias + mask.to(x.dtype).unsqueeze(1)).unsqueeze(0)
            bias = bias.expand(b // n, n, a, t, t).reshape(b, a, t, t)
        return attend(q, k, v, bias, False, dropout=self.drop if self.training else 0.0)


class _Attention(Module):
    def __init__(self, config, dim, heads, window):
        Module.__init__(self)
        self.self = _SelfAttention(config, dim, heads, window)
        self.output = _Output(dim, dim, config.attention_probs_dropout_prob)

    def forward(self, x, mask=None):
        return self.output(self.self(x, mask))


class SwinLayer(Module):
    def __init__(self, config, dim, side, heads, shift):
        Module.__init__(self)
        own = self.__dict__
        window = min(config.window_size, side)
        own["window"], own["shift"] = window, 0 if side <= window else shift
        own["side"] = side
        eps = config.layer_norm_eps
        self.layernorm_before = LayerNorm(dim, eps)
        self.attention = _Attention(config, dim, heads, window)
        self.layernorm_after = LayerNorm(dim, eps)
        width = int(config.mlp_ratio * dim)
        self.intermediate = _Wide(dim, width, config.hidden_act)
        self.output = _Output(width, dim, config.hidden_dropout_prob)

    def _mask(self, h, w):
        s, n = self.shift, self.window
        rows = torch.arange(h)
        part = (rows >= h - n).long() + (rows >= h - s).long()
        cols = torch.arange(w)
        other = (cols >= w - n).long() + (cols >= w - s).long()
        ids = part.reshape(h, 1) * 3 + other.reshape(1, w)
        ids = ids.reshape(h // n, n, w // n, n).permute(0, 2, 1, 3).reshape(-1, n * n)
        apart = ids.unsqueeze(1) != ids.unsqueeze(2)
        return apart.float() * -100.0

    def forward(self, x):
        b, h, w, d = x.shape
        n, s = self.window, self.shift
        y = self.layernorm_before(x)
        down, right = (n - h % n) % n, (n - w % n) % n
        if down or right:
            y = F.pad(y, (0, 0, 0, right, 0, down))
        hh, ww = h + down, w + right
        if s:
            y = y.roll((-s, -s), (1, 2))
        y = y.reshape(b, hh // n, n, ww // n, n, d).permute(0, 1, 3, 2, 4, 5)
        y = self.attention(y.reshape(-1, n * n, d), self._mask(hh, ww) if s else None)
        y = y.reshape(b, hh // n, ww // n, n, n, d).permute(0, 1, 3, 2, 4, 5)
        y = y.reshape(b, hh, ww, d)
        if s:
            y = y.roll((s, s), (1, 2))
        if down or right:
            y = y.narrow(1, 0, h).narrow(2, 0, w)
        x = x + y
        return x + self.output(self.intermediate(self.layernorm_after(x)))


class _Wide(Module):
    def __init__(self, dim, width, act):
        Module.__init__(self)
        self.dense = Linear(dim, width)
        self.__dict__["act"] = FUNCTIONS[act]

    def forward(self, x):
        return self.act(self.dense(x))


class _Merge(Module):
    def __init__(self, dim):
        Module.__init__(self)
        self.reduction, self.norm = Linear(4 * dim, 2 * dim, False), LayerNorm(4 * dim)

    def forward(self, x):
        b, h, w, d = x.shape
        x = x.reshape(b, h // 2, 2, w // 2, 2, d).permute(0, 1, 3, 4, 2, 5)
        return self.reduction(self.norm(x.reshape(b, h // 2, w // 2, 4 * d)))


class _Stage(Module):
    def __init__(self, config, dim, side, depth, heads, last):
        Module.__init__(self)
        self.blocks = ModuleList([
            SwinLayer(config, dim, side, heads, 0 if i % 2 == 0 else config.window_size // 2)
            for i in range(depth)])
        self.downsample = None if last else _Merge(dim)

    def forward(self, x):
        for block in self.blocks:
            x = block(x)
        return x if self.downsample is None else self.downsample(x)


class _Encoder(Module):
    def __init__(self, config):
        Module.__init__(self)
        c = config
        side = _pair(c.image_size)[0] // c.patch_size
        n = len(c.depths)
        self.layers = ModuleList([
            _Stage(c, c.embed_dim * 2 ** i, side // 2 ** i, c.depths[i], c.num_heads[i], i == n - 1)
            for i in range(n)])

    def forward(self, x):
        for layer in self.layers:
            x = layer(x)
        return x


class SwinModel(PreTrainedModel):
    main_input_name = "pixel_values"

    def __init__(self, config, add_pooling_layer=True, use_mask_token=False):
        PreTrainedModel.__init__(self, config)
        self.embeddings = _Embeddings(config, use_mask_token)
        self.encoder = _Encoder(config)
        width = int(config.embed_dim * 2 ** (len(config.depths) - 1))
        self.__dict__["num_features"] = width
        self.layernorm = LayerNorm(width, config.layer_norm_eps)
        self.__dict__["pools"] = add_pooling_layer
        self.post_init()

    def get_input_embeddings(self):
        return self.embeddings.patch_embeddings

    def forward(self, pixel_values=None, bool_masked_pos=None, return_dict=None, **kwargs):
        x = self.encoder(self.embeddings(pixel_values, bool_masked_pos))
        b, h, w, d = x.shape
        x = self.layernorm(x.reshape(b, h * w, d))
        return made(return_dict, last_hidden_state=x,
                    pooler_output=x.mean(1) if self.pools else None)


class SwinForImageClassification(PreTrainedModel):
    main_input_name = "pixel_values"

    def __init__(self, config):
        PreTrainedModel.__init__(self, config)
        from transformers._registry import make
        self.swin = make("swin", "Model")(config)
        self.__dict__["num_labels"] = config.num_labels
        self.classifier = Linear(self.swin.num_features, config.num_labels)
        self.post_init()

    def forward(self, pixel_values=None, head_mask=None, labels=None, output_attentions=None,
                output_hidden_states=None, return_dict=None, **kwargs):
        logits = self.classifier(self.swin(pixel_values)["pooler_output"])
        loss = None if labels is None else _heads.class_loss(self.config, logits, labels)
        return made(return_dict, loss=loss, logits=logits)


class SwinForMaskedImageModeling(PreTrainedModel):
    main_input_name = "pixel_values"

    def __init__(self, config):
        PreTrainedModel.__init__(self, config)
        from transformers._registry import make
        self.swin = make("swin", "Model")(config, False, True)
        n = config.encoder_stride
        self.decoder = torch.nn.Sequential(
            Conv2d(self.swin.num_features, n ** 2 * config.num_channels, 1),
            torch.nn.PixelShuffle(n))
        self.post_init()

    def forward(self, pixel_values=None, bool_masked_pos=None, return_dict=None, **kwargs):
        x = self.swin(pixel_values, bool_masked_pos)["last_hidden_state"].transpose(1, 2)
        b, d, t = x.shape
        side = int(t ** 0.5)
        image = self.decoder(x.reshape(b, d, side, side))
        loss = None if bool_masked_pos is None else F.l1_loss(pixel_values, image)
        return made(return_dict, loss=loss, reconstruction=image)


def heads(kind):
    return {"Model": SwinModel, "ForImageClassification": SwinForImageClassification,
            "ForMaskedImageModeling": SwinForMaskedImageModeling,
            "PreTrainedModel": PreTrainedModel}
