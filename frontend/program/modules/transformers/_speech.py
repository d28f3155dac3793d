"""wav2vec 2.0 and HuBERT: convolutions over sound, then an encoder."""

import _tilewise
import torch
from torch.nn import (Conv1d, Dropout, GroupNorm, LayerNorm, Linear, Module, ModuleList, Parameter)
from torch.nn import functional as F
from transformers import _heads
from transformers._clip import CLIPAttention
from transformers.activations import FUNCTIONS
from transformers.modeling_outputs import made
from transformers.modeling_utils import PreTrainedModel


class _ConvLayer(Module):
    def __init__(self, config, i):
        Module.__init__(self)
        c = config
        before = c.conv_dim[i - 1] if i else 1
        out = c.conv_dim[i]
        self.conv = Conv1d(before, out, c.conv_kernel[i], c.conv_stride[i], bias=c.conv_bias)
        self.__dict__["kind"] = None
        if c.feat_extract_norm == "layer":
            self.layer_norm, self.__dict__["kind"] = LayerNorm(out), "layer"
        elif i == 0:
            self.layer_norm, self.__dict__["kind"] = GroupNorm(out, out), "group"
        self.__dict__["act"] = FUNCTIONS[c.feat_extract_activation]

    def forward(self, x):
        x = self.conv(x)
        if self.kind == "layer":
            x = self.layer_norm(x.transpose(1, 2)).transpose(1, 2)
        elif self.kind == "group":
            x = self.layer_norm(x)
        return self.act(x)


class _Extractor(Module):
    def __init__(self, config):
        Module.__init__(self)
        self.conv_layers = ModuleList([_ConvLayer(config, i)
                                       for i in range(len(config.conv_dim))])

    def forward(self, x):
        x = x.unsqueeze(1)
        for layer in self.conv_layers:
            x = layer(x)
        return x.transpose(1, 2)

    def _freeze_parameters(self):
        self.requires_grad_(False)


class _Projection(Module):
    def __init__(self, config):
        Module.__init__(self)
        d = config.conv_dim[-1]
        if config.feat_proj_layer_norm:
            self.layer_norm = LayerNorm(d, config.layer_norm_eps)
        self.projection = Linear(d, config.hidden_size)
        self.dropout = Dropout(config.feat_proj_dropout)

    def forward(self, x):
        if "layer_norm" in self._modules:
            x = self.layer_norm(x)
        return self.dropout(self.projection(x)), x


class _Positions(Module):
    def __init__(self, config):
        Module.__init__(self)
        h, k = config.hidden_size, config.num_conv_pos_embeddings
        conv = Conv1d(h, h, k, padding=k // 2, groups=config.num_conv_pos_embedding_groups)
        from torch.nn.utils.weight_norm import weight_norm
        self.conv = weight_norm(conv, "weight", 2)
        self.__dict__["even"] = k % 2 == 0

    def forward(self, x):
        t = x.shape[1]
        y = self.conv(x.transpose(1, 2))
        return F.gelu(y.narrow(2, 0, t)).transpose(1, 2)


class _Feed(Module):
    def __init__(self, config):
        Module.__init__(self)
        h, i = config.hidden_size, config.intermediate_size
        self.intermediate_dense, self.output_dense = Linear(h, i), Linear(i, h)
        self.intermediate_dropout = Dropout(config.activation_dropout)
        self.output_dropout = Dropout(config.hidden_dropout)
        self.__dict__["act"] = FUNCTIONS[config.hidden_act]

    def forward(self, x):
        x = self.intermediate_dropout(self.act(self.intermediate_dense(x)))
        return self.output_dropout(self.output_dense(x))


class _Layer(Module):
    def __init__(self, config):
        Module.__init__(self)
        h, eps = config.hidden_size, config.layer_norm_eps
        self.attention, self.dropout = CLIPAttention(config), Dropout(config.hidden_dropout)
        self.layer_norm, self.feed_forward = LayerNorm(h, eps), _Feed(config)
        self.final_layer_norm = LayerNorm(h, eps)
        self.__dict__["before"] = config.do_stable_layer_norm

    def forward(self, x):
        if self.before:
            x = x + self.dropout(self.attention(self.layer_norm(x)))
            return x + self.feed_forward(self.final_layer_norm(x))
        x = self.layer_norm(x + self.dropout(self.attention(x)))
        return self.final_layer_norm(x + self.feed_forward(x))


class _Encoder(Module):
    def __init__(self, config):
        Module.__init__(self)
        self.pos_conv_embed = _Positions(config)
        self.layer_norm = LayerNorm(config.hidden_size, config.layer_norm_eps)
        self.dropout = Dropout(config.hidden_dropout)
        self.layers = ModuleList([_Layer(config) for _ in range(config.num_hidden_layers)])
        self.__dict__["before"] = config.do_stable_layer_norm

    def forward(self, x):
        x = x + self.pos_conv_embed(x)
        if not self.before:
            x = self.layer_norm(x)
        x = self.dropout(x)
        for layer in self.layers:
            x = layer(x)
        return self.layer_norm(x) if self.before else x


class Wav2Vec2Model(PreTrainedModel):
    main_input_name = "input_values"

    def __init__(self, config):
        PreTrainedModel.__init__(self, config)
        self.feature_extractor, self.feature_projection = _Extractor(config), _Projection(config)
        if config.mask_time_prob > 0:
            self.masked_spec_embed = Parameter(torch.zeros(config.hidden_size))
        self.encoder = _Encoder(config)
        self.post_init()

    def forward(self, input_values=None, attention_mask=None, mask_time_indices=None,
                output_attentions=None, output_hidden_states=None, return_dict=None, **kwargs):
        x, features = self.feature_projection(self.feature_extractor(input_values))
        if self.training and self.config.apply_spec_augment and \
                "masked_spec_embed" in self._parameters:
            hidden = torch.rand(x.shape[0], x.shape[1], 1) < self.config.mask_time_prob
            x = torch.where(hidden, self.masked_spec_embed.to(x.dtype), x)
        return made(return_dict, last_hidden_state=self.encoder(x), extract_features=features)


class _Head(PreTrainedModel):
    main_input_name = "input_values"
    _kind = "wav2vec2"

    def __init__(self, config, *args, **kwargs):
        PreTrainedModel.__init__(self, config)
        from transformers._registry import make
        setattr(self, self.base_model_prefix, make(self._kind, "Model")(config))
        self._add(config)
        self.post_init()

    def freeze_feature_encoder(self):
        getattr(self, self.base_model_prefix).feature_extractor._freeze_parameters()

    freeze_feature_extractor = freeze_feature_encoder

    def freeze_base_model(self):
        getattr(self, self.base_model_prefix).requires_grad_(False)


class ForCTC(_Head):
    def _add(self, config):
        self.dropout = Dropout(config.final_dropout)
        self.lm_head = Linear(config.hidden_size, config.vocab_size)

    def forward(self, input_values=None, attention_mask=None, labels=None, return_dict=None,
                **kwargs):
        x = getattr(self, self.base_model_prefix)(input_values)["last_hidden_state"]
        logits = self.lm_head(self.dropout(x))
        loss = None
        if labels is not None:
            n, t, v = logits.shape
            p = logits.float().log_softmax(-1).transpose(0, 1)
            most = labels.shape[1]
            loss = F.ctc_loss(p, labels, torch.full((n,), t), torch.full((n,), most),
                              blank=self.config.pad_token_id or 0)
        return made(return_dict, loss=loss, logits=logits)


class ForSequenceClassification(_Head):
    def _add(self, config):
        self.projector = Linear(config.hidden_size, config.classifier_proj_size)
        self.classifier = Linear(config.classifier_proj_size, config.num_labels)

    def forward(self, input_values=None, attention_mask=None, labels=None, return_dict=None,
                **kwargs):
        x = getattr(self, self.base_model_prefix)(input_values)["last_hidden_state"]
        logits = self.classifier(self.projector(x).mean(1))
        loss = None if labels is None else _heads.class_loss(self.config, logits, labels)
        return made(return_dict, loss=loss, logits=logits)


def heads(kind):
    return {"Model": Wav2Vec2Model, "ForCTC": ForCTC, "PreTrainedModel": PreTrainedModel,
            "ForSequenceClassification": ForSequenceClassification}
