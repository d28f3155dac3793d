"""Losses on all triples of a batch of single texts with classes."""

import torch
from sentence_transformers.losses._loss import EmbeddingLoss
from torch.nn import functional as F


class BatchHardTripletLossDistanceFunction:
    @staticmethod
    def cosine_distance(embeddings):
        unit = F.normalize(embeddings, p=2, dim=1)
        return 1 - torch.matmul(unit, unit.t())

    @staticmethod
    def eucledian_distance(embeddings, squared=False):
        product = torch.matmul(embeddings, embeddings.t())
        square = torch.diag(product)
        apart = F.relu(square.unsqueeze(0) - 2.0 * product + square.unsqueeze(1))
        return apart if squared else torch.sqrt(apart + 1e-16)


def _alike(labels):
    return (labels.unsqueeze(0) == labels.unsqueeze(1)).float()


class BatchHardTripletLoss(EmbeddingLoss):
    texts, labels = 1, "int"

    def __init__(self, model,
                 distance_metric=BatchHardTripletLossDistanceFunction.eucledian_distance, margin=5):
        EmbeddingLoss.__init__(self, model)
        self.triplet_margin, self.distance_metric = margin, distance_metric

    def _hardest(self, embeddings, labels):
        apart, alike = self.distance_metric(embeddings[0]), _alike(labels)
        far = (alike * apart).max(1, keepdim=True)[0]
        near = (apart + alike * apart.max(1, keepdim=True)[0]).min(1, keepdim=True)[0]
        return far - near

    def of(self, embeddings, labels):
        return F.relu(self._hardest(embeddings, labels) + self.triplet_margin).mean()


class BatchHardSoftMarginTripletLoss(BatchHardTripletLoss):
    def of(self, embeddings, labels):
        return torch.log1p(torch.exp(self._hardest(embeddings, labels))).mean()


class BatchAllTripletLoss(BatchHardTripletLoss):
    def of(self, embeddings, labels):
        apart, alike = self.distance_metric(embeddings[0]), _alike(labels)
        losses = apart.unsqueeze(2) - apart.unsqueeze(1) + self.triplet_margin
        counted = alike.unsqueeze(2) * (1 - alike).unsqueeze(1)
        losses = F.relu(losses * counted)
        return losses.sum() / ((losses > 1e-16).float().sum() + 1e-16)


class BatchSemiHardTripletLoss(BatchHardTripletLoss):
    def of(self, embeddings, labels):
        apart, alike = self.distance_metric(embeddings[0]), _alike(labels)
        size = apart.shape[0]
        pairs = apart.repeat(size, 1)
        other = ((1 - alike).repeat(size, 1) *
                 (pairs > apart.t().reshape(-1, 1)).float())
        outside = (pairs + (1 - other) * 1e9).min(1)[0].view(size, size).t()
        losses = (apart - outside + self.triplet_margin) * alike
        return F.relu(losses).sum() / alike.sum()
