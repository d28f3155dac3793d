"""Losses of sparse encoders: those of dense ones, and what keeps weights few."""

import torch
from sentence_transformers import util
from sentence_transformers.losses import (AnglELoss, CoSENTLoss, CosineSimilarityLoss,
                                          MarginMSELoss, MSELoss, MultipleNegativesRankingLoss,
                                          TripletLoss)
from sentence_transformers.losses._loss import EmbeddingLoss


class SparseMultipleNegativesRankingLoss(MultipleNegativesRankingLoss):
    def __init__(self, model, scale=1.0, similarity_fct=util.dot_score, **options):
        MultipleNegativesRankingLoss.__init__(self, model, scale, similarity_fct)


class SparseMarginMSELoss(MarginMSELoss):
    pass


class SparseMSELoss(MSELoss):
    pass


class SparseTripletLoss(TripletLoss):
    pass


class SparseCosineSimilarityLoss(CosineSimilarityLoss):
    pass


class SparseCoSENTLoss(CoSENTLoss):
    pass


class SparseAnglELoss(AnglELoss):
    pass


class FlopsLoss(EmbeddingLoss):
    def of(self, embeddings, labels=None):
        return torch.sum(torch.mean(torch.abs(embeddings), dim=0) ** 2)


class SpladeLoss(EmbeddingLoss):
    def __init__(self, model, loss, document_regularizer_weight=0.0, query_regularizer_weight=None,
                 document_regularizer=None, query_regularizer=None,
                 use_document_regularizer_only=False, **options):
        EmbeddingLoss.__init__(self, model)
        self.loss, self.texts, self.labels = loss, loss.texts, loss.labels
        self.document_weight = document_regularizer_weight
        self.query_weight = query_regularizer_weight
        self.document_regularizer = document_regularizer or FlopsLoss(model)
        self.query_regularizer = query_regularizer or FlopsLoss(model)
        self.one_kind = use_document_regularizer_only

    def of(self, embeddings, labels):
        total = self.loss.of(embeddings, labels)
        documents = torch.cat(embeddings if self.one_kind else embeddings[1:])
        total = total + self.document_regularizer.of(documents) * self.document_weight
        if self.query_weight is not None:
            total = total + self.query_regularizer.of(embeddings[0]) * self.query_weight
        return total
