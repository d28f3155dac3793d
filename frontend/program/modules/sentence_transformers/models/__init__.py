"""What a SentenceTransformer is made of."""

import _tilewise
import torch
from torch import nn
from transformers import AutoConfig, AutoModel, AutoTokenizer, T5EncoderModel

_unk = _tilewise.is_unknown
# What names of the library's own models say of the length of texts beside their configuration.
_LENGTHS = {"all-minilm-l6-v2": 256, "all-minilm-l12-v2": 128, "all-mpnet-base-v2": 384,
            "all-distilroberta-v1": 512, "multi-qa-minilm-l6-cos-v1": 512,
            "paraphrase-minilm-l6-v2": 128, "paraphrase-multilingual-minilm-l12-v2": 128}


class Transformer(nn.Module):
    def __init__(self, model_name_or_path, max_seq_length=None, model_args=None,
                 tokenizer_args=None, config_args=None, cache_dir=None, do_lower_case=False,
                 tokenizer_name_or_path=None, backend="torch"):
        nn.Module.__init__(self)
        self._load(model_name_or_path, {**(config_args or {}), **(model_args or {})})
        self.tokenizer = AutoTokenizer.from_pretrained(
            tokenizer_name_or_path or model_name_or_path, **(tokenizer_args or {}))
        if max_seq_length is None and isinstance(model_name_or_path, str):
            max_seq_length = _LENGTHS.get(model_name_or_path.split("/")[-1].lower())
        if max_seq_length is None:
            most = self.tokenizer.model_max_length
            positions = getattr(self.config, "max_position_embeddings", None)
            max_seq_length = min(most, positions) if isinstance(positions, int) else most
        self.max_seq_length = max_seq_length

    def _load(self, name, options):
        config = AutoConfig.from_pretrained(name)
        kind = T5EncoderModel if getattr(config, "model_type", None) in ("t5", "mt5") else \
            AutoModel
        self.auto_model = kind.from_pretrained(name, **options)
        self.config = config if _unk(self.auto_model) else self.auto_model.config
        if _unk(self.auto_model):
            _tilewise.note("the model of a text is not known: " + _tilewise.reason(
                self.auto_model))

    def get_word_embedding_dimension(self):
        config = self.config
        return config if _unk(config) else getattr(config, "hidden_size", None) or config.dim

    def forward(self, features, **options):
        features = dict(features)
        out = self.auto_model(input_ids=features["input_ids"],
                              attention_mask=features["attention_mask"])
        features["token_embeddings"] = out if _unk(out) else out[0]
        return features


class Pooling(nn.Module):
    def __init__(self, word_embedding_dimension, pooling_mode=None, pooling_mode_cls_token=False,
                 pooling_mode_max_tokens=False, pooling_mode_mean_tokens=True,
                 pooling_mode_mean_sqrt_len_tokens=False, pooling_mode_weightedmean_tokens=False,
                 pooling_mode_lasttoken=False, include_prompt=True):
        nn.Module.__init__(self)
        given = {"cls": pooling_mode_cls_token, "max": pooling_mode_max_tokens,
                 "mean": pooling_mode_mean_tokens,
                 "mean_sqrt_len_tokens": pooling_mode_mean_sqrt_len_tokens,
                 "weightedmean": pooling_mode_weightedmean_tokens,
                 "lasttoken": pooling_mode_lasttoken}
        self.modes = [k for k, v in given.items() if v] if pooling_mode is None else [pooling_mode]
        self.word_embedding_dimension = word_embedding_dimension
        self.pooling_output_dimension = word_embedding_dimension * len(self.modes)

    def get_sentence_embedding_dimension(self):
        return self.pooling_output_dimension

    def forward(self, features):
        x = features["token_embeddings"]
        mask = features["attention_mask"].unsqueeze(-1).expand(x.size()).to(x.dtype)
        made = []
        for mode in self.modes:
            if mode == "cls":
                made.append(x[:, 0])
            elif mode == "lasttoken":
                made.append(x[:, -1])
            elif mode == "max":
                made.append(torch.max(x + (mask - 1) * 1e9, 1)[0])
            else:
                count = torch.clamp(mask.sum(1), min=1e-9)
                if mode == "mean_sqrt_len_tokens":
                    count = torch.sqrt(count)
                made.append((x * mask).sum(1) / count)
        embedding = made[0] if len(made) == 1 else torch.cat(made, 1)
        return dict(features, sentence_embedding=embedding)


class Dense(nn.Module):
    def __init__(self, in_features, out_features, bias=True, activation_function=nn.Tanh(),
                 init_weight=None, init_bias=None, **options):
        nn.Module.__init__(self)
        self.linear = nn.Linear(in_features, out_features, bias=bias)
        self.activation_function = activation_function
        self.out_features = out_features

    def get_sentence_embedding_dimension(self):
        return self.out_features

    def forward(self, features):
        made = self.activation_function(self.linear(features["sentence_embedding"]))
        return dict(features, sentence_embedding=made)


class _OnEmbedding(nn.Module):
    def forward(self, features):
        return dict(features, sentence_embedding=self._made(features["sentence_embedding"]))


class Normalize(_OnEmbedding):
    def _made(self, x):
        return nn.functional.normalize(x, p=2, dim=1)


class Dropout(_OnEmbedding):
    def __init__(self, dropout=0.2):
        nn.Module.__init__(self)
        self.dropout_layer = nn.Dropout(dropout)

    def _made(self, x):
        return self.dropout_layer(x)


class LayerNorm(_OnEmbedding):
    def __init__(self, dimension):
        nn.Module.__init__(self)
        self.norm, self.dimension = nn.LayerNorm(dimension), dimension

    def get_sentence_embedding_dimension(self):
        return self.dimension

    def _made(self, x):
        return self.norm(x)


class CNN(nn.Module):
    def __init__(self, in_word_embedding_dimension, out_channels=256, kernel_sizes=(1, 3, 5),
                 stride_sizes=None):
        nn.Module.__init__(self)
        strides = stride_sizes or [1] * len(kernel_sizes)
        self.convs = nn.ModuleList([
            nn.Conv1d(in_word_embedding_dimension, out_channels, k, stride=s, padding=(k - 1) // 2)
            for k, s in zip(kernel_sizes, strides)])
        self.embeddings_dimension = out_channels * len(kernel_sizes)

    def get_word_embedding_dimension(self):
        return self.embeddings_dimension

    def forward(self, features):
        x = features["token_embeddings"].transpose(1, -1)
        made = torch.cat([conv(x) for conv in self.convs], 1).transpose(1, -1)
        return dict(features, token_embeddings=made)


class StaticEmbedding(nn.Module):
    max_seq_length = 256

    def __init__(self, tokenizer, embedding_weights=None, embedding_dim=None, **options):
        nn.Module.__init__(self)
        shape = [None, embedding_dim] if embedding_weights is None else embedding_weights.shape
        count = getattr(tokenizer, "vocab_size", None) or shape[0]
        self.tokenizer, self.embedding_dim = tokenizer, shape[1]
        self.embedding = nn.Embedding(count, shape[1])

    def get_sentence_embedding_dimension(self):
        return self.embedding_dim

    def forward(self, features, **options):
        return dict(features, sentence_embedding=self.embedding(features["input_ids"]).mean(1))
