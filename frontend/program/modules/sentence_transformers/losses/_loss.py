"""What losses on embeddings share."""

import torch
from torch import nn


def range_of(scores):
    """The row of each is the label."""
    return torch.arange(0, scores.shape[0])


class EmbeddingLoss(nn.Module):
    texts, labels = 2, None

    def __init__(self, model):
        nn.Module.__init__(self)
        self.model = model

    def embedded(self, features):
        return [self.model(f)["sentence_embedding"] for f in features]

    def forward(self, sentence_features, labels=None):
        return self.of(self.embedded(list(sentence_features)), labels)

    def compute_loss_from_embeddings(self, embeddings, labels=None):
        return self.of(embeddings, labels)
