"""What a SparseEncoder is made of."""

import _tilewise
import torch
from sentence_transformers.models import Transformer
from torch import nn
from transformers import AutoModelForMaskedLM

_unk = _tilewise.is_unknown


class MLMTransformer(Transformer):
    def _load(self, name, options):
        self.auto_model = AutoModelForMaskedLM.from_pretrained(name, **options)
        if _unk(self.auto_model):
            _tilewise.note("the model of a text is not known: " + _tilewise.reason(
                self.auto_model))
        self.config = self.auto_model if _unk(self.auto_model) else self.auto_model.config

    def get_sentence_embedding_dimension(self):
        return self.config if _unk(self.config) else self.config.vocab_size

    def forward(self, features, **options):
        out = self.auto_model(input_ids=features["input_ids"],
                              attention_mask=features["attention_mask"])
        return dict(features, token_embeddings=out if _unk(out) else out.logits)


class SpladePooling(nn.Module):
    def __init__(self, pooling_strategy="max", activation_function="relu",
                 word_embedding_dimension=None, chunk_size=None):
        nn.Module.__init__(self)
        self.pooling_strategy, self.activation = pooling_strategy, activation_function

    def forward(self, features):
        x = features["token_embeddings"]
        x = x * features["attention_mask"].unsqueeze(-1).to(x.dtype)
        x = torch.log1p(torch.relu(x))
        if self.activation == "log1p_relu":
            x = torch.log1p(x)
        x = torch.max(x, dim=1)[0] if self.pooling_strategy == "max" else x.sum(dim=1)
        return dict(features, sentence_embedding=x)
