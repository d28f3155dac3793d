"""CLIP and SigLIP: texts and images in one space."""

import _tilewise
import torch
from torch.nn import Conv2d, Embedding, LayerNorm, Linear, Module, ModuleList, Parameter
from torch.nn import functional as F
from transformers import _masks
from transformers._parts import attend
from transformers._vit import _MLP
from transformers.modeling_outputs import made
from transformers.modeling_utils import PreTrainedModel


class CLIPAttention(Module):
    def __init__(self, config):
        Module.__init__(self)
        h = config.hidden_size
        self.__dict__["heads"] = config.num_attention_heads
        self.k_proj, self.v_proj, self.q_proj, self.out_proj = [Linear(h, h) for _ in range(4)]

    def forward(self, x, mask=None, causal=False):
        b, t, h = x.shape
        a = self.heads
        q, k, v = [p(x).reshape(b, t, a, h // a).transpose(1, 2)
                   for p in (self.q_proj, self.k_proj, self.v_proj)]
        return self.out_proj(attend(q, k, v, mask, causal))


class CLIPEncoderLayer(Module):
    def __init__(self, config):
        Module.__init__(self)
        h, eps = config.hidden_size, config.layer_norm_eps
        self.self_attn, self.layer_norm1 = CLIPAttention(config), LayerNorm(h, eps)
        self.mlp = _MLP(h, config.intermediate_size, config.hidden_act)
        self.layer_norm2 = LayerNorm(h, eps)

    def forward(self, x, mask=None, causal=False):
        x = x + self.self_attn(self.layer_norm1(x), mask, causal)
        return x + self.mlp(self.layer_norm2(x))


class CLIPEncoder(Module):
    def __init__(self, config):
        Module.__init__(self)
        self.layers = ModuleList([CLIPEncoderLayer(config)
                                  for _ in range(config.num_hidden_layers)])

    def forward(self, x, mask=None, causal=False, states=None):
        for layer in self.layers:
            states.append(x)
            x = layer(x, mask, causal)
        return x


class _TextEmbeddings(Module):
    def __init__(self, config):
        Module.__init__(self)
        self.token_embedding = Embedding(config.vocab_size, config.hidden_size)
        self.position_embedding = Embedding(config.max_position_embeddings, config.hidden_size)

    def forward(self, input_ids):
        x = self.token_embedding(input_ids)
        return x + self.position_embedding(torch.arange(x.shape[1]))


class TextTransformer(Module):
    def __init__(self, config):
        Module.__init__(self)
        h = config.hidden_size
        self.__dict__["siglip"] = config.model_type == "siglip_text_model"
        self.embeddings, self.encoder = _TextEmbeddings(config), CLIPEncoder(config)
        self.final_layer_norm = LayerNorm(h, config.layer_norm_eps)
        if self.siglip:
            self.head = Linear(h, config.projection_size or h)

    def get_input_embeddings(self):
        return self.embeddings.token_embedding

    def set_input_embeddings(self, value):
        self.embeddings.token_embedding = value

    def forward(self, input_ids, attention_mask=None, states=None):
        x = self.embeddings(input_ids)
        n, t, h = x.shape
        if self.siglip:
            x = self.encoder(x, _masks.keys(attention_mask), False, states)
            x = self.final_layer_norm(x)
            return x, self.head(x.select(1, t - 1))
        mask, causal = _masks.causal(attention_mask, t)
        x = self.final_layer_norm(self.encoder(x, mask, causal, states))
        from transformers._heads import wrap_take
        at = input_ids.argmax(-1).reshape(n, 1)
        return x, wrap_take(x, at).reshape(n, h)


class _VisionEmbeddings(Module):
    def __init__(self, config, siglip):
        Module.__init__(self)
        h, p = config.hidden_size, config.patch_size
        n = (config.image_size // p) ** 2 + (0 if siglip else 1)
        self.__dict__["siglip"] = siglip
        if not siglip:
            self.class_embedding = Parameter(torch.zeros(h))
        self.patch_embedding = Conv2d(config.num_channels, h, p, p, bias=siglip)
        self.position_embedding = Embedding(n, h)

    def forward(self, pixel_values):
        x = self.patch_embedding(pixel_values).flatten(2).transpose(1, 2)
        if not self.siglip:
            b, t, h = x.shape
            x = torch.cat([self.class_embedding.expand(b, 1, h), x], 1)
        return x + self.position_embedding.weight


class _PoolingHead(Module):
    def __init__(self, config):
        Module.__init__(self)
        h = config.hidden_size
        self.probe = Parameter(torch.zeros(1, 1, h))
        self.attention = torch.nn.MultiheadAttention(h, config.num_attention_heads,
                                                     batch_first=True)
        self.layernorm = LayerNorm(h, config.layer_norm_eps)
        self.mlp = _MLP(h, config.intermediate_size, config.hidden_act)

    def forward(self, x):
        b, t, h = x.shape
        x = self.attention(self.probe.expand(b, 1, h), x, x)[0]
        return (x + self.mlp(self.layernorm(x))).select(1, 0)


class VisionTransformer(Module):
    def __init__(self, config):
        Module.__init__(self)
        h, eps = config.hidden_size, config.layer_norm_eps
        siglip = config.model_type == "siglip_vision_model"
        self.__dict__["siglip"] = siglip
        self.embeddings = _VisionEmbeddings(config, siglip)
        if not siglip:
            self.pre_layrnorm = LayerNorm(h, eps)
        self.encoder, self.post_layernorm = CLIPEncoder(config), LayerNorm(h, eps)
        if siglip:
            self.head = _PoolingHead(config)

    def forward(self, pixel_values, states=None):
        x = self.embeddings(pixel_values)
        if self.siglip:
            x = self.post_layernorm(self.encoder(x, None, False, states))
            return x, self.head(x)
        x = self.encoder(self.pre_layrnorm(x), None, False, states)
        return x, self.post_layernorm(x.select(1, 0))


class CLIPModel(PreTrainedModel):
    def __init__(self, config):
        PreTrainedModel.__init__(self, config)
        t, v = config.text_config, config.vision_config
        siglip = config.model_type == "siglip"
        self.__dict__["siglip"] = siglip
        self.text_model, self.vision_model = TextTransformer(t), VisionTransformer(v)
        if siglip:
            self.logit_bias = Parameter(torch.zeros(1))
            self.logit_scale = Parameter(torch.zeros(1))
        else:
            self.visual_projection = Linear(v.hidden_size, config.projection_dim, False)
            self.text_projection = Linear(t.hidden_size, config.projection_dim, False)
            self.logit_scale = Parameter(torch.tensor(config.logit_scale_init_value))
        self.post_init()

    @property
    def base_model(self):
        return self

    def get_input_embeddings(self):
        return self.text_model.embeddings.token_embedding

    def get_text_features(self, input_ids=None, attention_mask=None, **kwargs):
        y = self.text_model(input_ids, attention_mask, [])[1]
        return y if self.siglip else self.text_projection(y)

    def get_image_features(self, pixel_values=None, **kwargs):
        y = self.vision_model(pixel_values, [])[1]
        return y if self.siglip else self.visual_projection(y)

    def forward(self, input_ids=None, pixel_values=None, attention_mask=None, position_ids=None,
                return_loss=None, output_attentions=None, output_hidden_states=None,
                return_dict=None, **kwargs):
        text = F.normalize(self.get_text_features(input_ids, attention_mask), dim=-1)
        image = F.normalize(self.get_image_features(pixel_values), dim=-1)
        logits = text.matmul(image.transpose(0, 1)) * self.logit_scale.exp()
        loss = None
        if self.siglip:
            logits = logits + self.logit_bias
        if return_loss:
            n = logits.shape[0]
            if self.siglip:
                sign = 2.0 * torch.eye(n) - 1.0
                loss = -F.logsigmoid(sign * logits).sum(-1).mean()
                _tilewise.record("loss", value=loss._h, name="sigmoid", from_logits=True,
                                 sparse=False)
            else:
                rows = torch.arange(n)
                loss = (F.cross_entropy(logits, rows) +
                        F.cross_entropy(logits.transpose(0, 1), rows)) / 2
        return made(return_dict, loss=loss, logits_per_image=logits.transpose(0, 1),
                    logits_per_text=logits, text_embeds=text, image_embeds=image)


class TextModel(PreTrainedModel):
    _projected = False

    def __init__(self, config):
        PreTrainedModel.__init__(self, config)
        self.text_model = TextTransformer(config)
        if self._projected:
            self.text_projection = Linear(config.hidden_size, config.projection_dim, False)
        self.post_init()

    def get_input_embeddings(self):
        return self.text_model.embeddings.token_embedding

    def forward(self, input_ids=None, attention_mask=None, position_ids=None,
                output_hidden_states=None, return_dict=None, **kwargs):
        states = []
        x, pooled = self.text_model(input_ids, attention_mask, states)
        embeds = self.text_projection(pooled) if self._projected else None
        return made(return_dict, text_embeds=embeds, last_hidden_state=x, pooler_output=pooled,
                    hidden_states=tuple(states + [x]) if output_hidden_states else None)


class TextModelWithProjection(TextModel):
    _projected = True


class VisionModel(PreTrainedModel):
    main_input_name = "pixel_values"
    _projected = False

    def __init__(self, config):
        PreTrainedModel.__init__(self, config)
        self.vision_model = VisionTransformer(config)
        if self._projected:
            self.visual_projection = Linear(config.hidden_size, config.projection_dim, False)
        self.post_init()

    def forward(self, pixel_values=None, output_hidden_states=None, return_dict=None, **kwargs):
        states = []
        x, pooled = self.vision_model(pixel_values, states)
        embeds = self.visual_projection(pooled) if self._projected else None
        return made(return_dict, image_embeds=embeds, last_hidden_state=x, pooler_output=pooled,
                    hidden_states=tuple(states + [x]) if output_hidden_states else None)


class VisionModelWithProjection(VisionModel):
    _projected = True


def heads(kind):
    if kind in ("clip", "siglip"):
        return {"Model": CLIPModel, "PreTrainedModel": PreTrainedModel}
    if "text" in kind:
        return {"Model": TextModel, "ModelWithProjection": TextModelWithProjection}
    return {"Model": VisionModel, "ModelWithProjection": VisionModelWithProjection}


def part(kind, name):
    return {"Attention": CLIPAttention, "EncoderLayer": CLIPEncoderLayer,
            "Encoder": CLIPEncoder}.get(name)
