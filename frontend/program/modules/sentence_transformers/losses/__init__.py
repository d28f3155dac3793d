"""Losses on the embeddings of texts. `texts`: of an example; `labels`: None, of what type."""

import _tilewise
import torch
from sentence_transformers import util
from sentence_transformers.losses._batch_hard import (BatchAllTripletLoss,
                                                      BatchHardSoftMarginTripletLoss,
                                                      BatchHardTripletLoss,
                                                      BatchHardTripletLossDistanceFunction,
                                                      BatchSemiHardTripletLoss)
from sentence_transformers.losses._loss import EmbeddingLoss, range_of
from torch import nn
from torch.nn import functional as F


class MultipleNegativesRankingLoss(EmbeddingLoss):
    def __init__(self, model, scale=20.0, similarity_fct=util.cos_sim, **options):
        EmbeddingLoss.__init__(self, model)
        self.scale, self.similarity_fct = scale, similarity_fct

    def of(self, embeddings, labels):
        scores = self.similarity_fct(embeddings[0], torch.cat(embeddings[1:])) * self.scale
        return F.cross_entropy(scores, range_of(scores))


class MultipleNegativesSymmetricRankingLoss(MultipleNegativesRankingLoss):
    def of(self, embeddings, labels):
        anchors, candidates = embeddings[0], torch.cat(embeddings[1:])
        scores = self.similarity_fct(anchors, candidates) * self.scale
        back = scores[:, 0:anchors.shape[0]].t()
        return (F.cross_entropy(scores, range_of(scores)) +
                F.cross_entropy(back, range_of(back))) / 2


class _Cached:
    """Embeds parts of the batch without gradients, and once more with them."""

    def __init__(self, model, *args, mini_batch_size=32, **options):
        self._plain.__init__(self, model, *args, **options)
        self.mini_batch_size = mini_batch_size

    def embedded(self, features):
        _tilewise.record("remat")
        _tilewise.note("the loss embeds parts of " + str(self.mini_batch_size) + " texts twice, "
                       "first without gradients; it is simulated as a whole batch whose forward "
                       "pass is made twice")
        return EmbeddingLoss.embedded(self, features)


class CachedMultipleNegativesRankingLoss(_Cached, MultipleNegativesRankingLoss):
    _plain = MultipleNegativesRankingLoss


class CachedMultipleNegativesSymmetricRankingLoss(_Cached, MultipleNegativesSymmetricRankingLoss):
    _plain = MultipleNegativesSymmetricRankingLoss


class GISTEmbedLoss(EmbeddingLoss):
    """A second model says which negatives are none."""

    def __init__(self, model, guide, temperature=0.01, **options):
        EmbeddingLoss.__init__(self, model)
        self.__dict__["guide"] = guide
        self.temperature = temperature

    def embedded(self, features):
        with torch.no_grad():
            self.__dict__["guided"] = [self.guide(f)["sentence_embedding"] for f in features]
        return EmbeddingLoss.embedded(self, features)

    def of(self, embeddings, labels):
        parts = []
        for one, other in ((0, 1), (0, 0), (1, 1)):
            guided = util.cos_sim(self.guided[one], self.guided[other])
            own = util.cos_sim(embeddings[one], embeddings[other])
            known = torch.diag(util.cos_sim(self.guided[0], self.guided[1])).view(-1, 1)
            parts.append(torch.where(guided > known, float("-inf"), own))
        scores = torch.cat(parts, dim=1) / self.temperature
        return F.cross_entropy(scores, range_of(scores))


class CachedGISTEmbedLoss(_Cached, GISTEmbedLoss):
    _plain = GISTEmbedLoss


class CosineSimilarityLoss(EmbeddingLoss):
    labels = "float"

    def __init__(self, model, loss_fct=None, cos_score_transformation=None):
        EmbeddingLoss.__init__(self, model)
        self.loss_fct = nn.MSELoss() if loss_fct is None else loss_fct
        self.cos_score_transformation = cos_score_transformation or nn.Identity()

    def of(self, embeddings, labels):
        score = torch.cosine_similarity(embeddings[0], embeddings[1])
        return self.loss_fct(self.cos_score_transformation(score), labels.float().view(-1))


class CoSENTLoss(EmbeddingLoss):
    labels = "float"

    def __init__(self, model, scale=20.0, similarity_fct=util.pairwise_cos_sim):
        EmbeddingLoss.__init__(self, model)
        self.scale, self.similarity_fct = scale, similarity_fct

    def of(self, embeddings, labels):
        scores = self.similarity_fct(embeddings[0], embeddings[1]) * self.scale
        scores = scores[:, None] - scores[None, :]
        ordered = (labels[:, None] < labels[None, :]).float()
        scores = (scores - (1 - ordered) * 1e12).view(-1)
        return torch.logsumexp(torch.cat((torch.zeros(1), scores)), dim=0)


class AnglELoss(CoSENTLoss):
    def __init__(self, model, scale=20.0):
        CoSENTLoss.__init__(self, model, scale, util.pairwise_angle_sim)


class TripletDistanceMetric:
    COSINE = COSINE_DISTANCE = staticmethod(lambda x, y: 1 - F.cosine_similarity(x, y))
    EUCLIDEAN = staticmethod(lambda x, y: F.pairwise_distance(x, y, p=2))
    MANHATTAN = staticmethod(lambda x, y: F.pairwise_distance(x, y, p=1))


SiameseDistanceMetric = TripletDistanceMetric


class ContrastiveLoss(EmbeddingLoss):
    labels = "float"

    def __init__(self, model, distance_metric=TripletDistanceMetric.COSINE, margin=0.5,
                 size_average=True):
        EmbeddingLoss.__init__(self, model)
        self.distance_metric, self.margin = distance_metric, margin
        self.size_average = size_average

    def of(self, embeddings, labels):
        apart = self.distance_metric(embeddings[0], embeddings[1])
        losses = 0.5 * (labels.float() * apart ** 2 +
                        (1 - labels).float() * F.relu(self.margin - apart) ** 2)
        return losses.mean() if self.size_average else losses.sum()


class OnlineContrastiveLoss(ContrastiveLoss):
    """Only hard pairs count: of pairs that are not known all may be."""

    def __init__(self, model, distance_metric=TripletDistanceMetric.COSINE, margin=0.5):
        ContrastiveLoss.__init__(self, model, distance_metric, margin, False)


class TripletLoss(EmbeddingLoss):
    texts = 3

    def __init__(self, model, distance_metric=TripletDistanceMetric.EUCLIDEAN, triplet_margin=5):
        EmbeddingLoss.__init__(self, model)
        self.distance_metric, self.triplet_margin = distance_metric, triplet_margin

    def of(self, embeddings, labels):
        near = self.distance_metric(embeddings[0], embeddings[1])
        far = self.distance_metric(embeddings[0], embeddings[2])
        return F.relu(near - far + self.triplet_margin).mean()


class SoftmaxLoss(EmbeddingLoss):
    labels = "int"

    def __init__(self, model, sentence_embedding_dimension=None, num_labels=None,
                 concatenation_sent_rep=True, concatenation_sent_difference=True,
                 concatenation_sent_multiplication=False, loss_fct=None):
        EmbeddingLoss.__init__(self, model)
        self.parts = (concatenation_sent_rep, concatenation_sent_difference,
                      concatenation_sent_multiplication)
        count = 2 * bool(concatenation_sent_rep) + bool(concatenation_sent_difference) + \
            bool(concatenation_sent_multiplication)
        self.classifier = nn.Linear(count * sentence_embedding_dimension, num_labels)
        self.loss_fct = nn.CrossEntropyLoss() if loss_fct is None else loss_fct

    def of(self, embeddings, labels):
        a, b = embeddings[0], embeddings[1]
        made = [a, b] if self.parts[0] else []
        if self.parts[1]:
            made.append(torch.abs(a - b))
        if self.parts[2]:
            made.append(a * b)
        return self.loss_fct(self.classifier(torch.cat(made, 1)), labels.view(-1))


class MarginMSELoss(EmbeddingLoss):
    texts, labels = 3, "float"

    def __init__(self, model, similarity_fct=util.pairwise_dot_score):
        EmbeddingLoss.__init__(self, model)
        self.similarity_fct = similarity_fct

    def of(self, embeddings, labels):
        margin = self.similarity_fct(embeddings[0], embeddings[1]) - self.similarity_fct(
            embeddings[0], embeddings[2])
        return F.mse_loss(margin, labels.float())


class DistillKLDivLoss(EmbeddingLoss):
    """A teacher's scores of a query with each of its texts are the labels."""

    texts, labels = 3, "scores"

    def __init__(self, model, similarity_fct=util.pairwise_dot_score, temperature=1.0):
        EmbeddingLoss.__init__(self, model)
        self.similarity_fct, self.temperature = similarity_fct, temperature

    def of(self, embeddings, labels):
        scores = torch.stack([self.similarity_fct(embeddings[0], e) for e in embeddings[1:]], dim=1)
        told = torch.softmax(labels / self.temperature, dim=1)
        made = torch.log_softmax(scores / self.temperature, dim=1)
        return F.kl_div(made, told, reduction="batchmean") * self.temperature ** 2


class MSELoss(EmbeddingLoss):
    """The embedding that a teacher gave is the label."""

    texts, labels = 1, "embedding"

    def of(self, embeddings, labels):
        total = 0
        for embedding in embeddings:
            total = F.mse_loss(embedding, labels) + total
        return total / len(embeddings)


class MatryoshkaLoss(EmbeddingLoss):
    """The loss on the first numbers of each embedding, for several counts of them."""

    def __init__(self, model, loss, matryoshka_dims, matryoshka_weights=None, n_dims_per_step=-1):
        EmbeddingLoss.__init__(self, model)
        self.loss, self.dims = loss, list(matryoshka_dims)
        self.weights = list(matryoshka_weights or [1] * len(self.dims))
        self.texts, self.labels = loss.texts, loss.labels

    def embedded(self, features):
        return self.loss.embedded(features)

    def of(self, embeddings, labels):
        total = 0
        for dim, weight in zip(self.dims, self.weights):
            cut = [F.normalize(e[..., :dim], p=2, dim=-1) for e in embeddings]
            total = self.loss.of(cut, labels) * weight + total
        return total


class ContrastiveTensionLossInBatchNegatives(EmbeddingLoss):
    """Two models that began alike embed the same texts."""

    def __init__(self, model, scale=20.0, similarity_fct=util.cos_sim):
        import copy
        EmbeddingLoss.__init__(self, model)
        self.model1 = copy.deepcopy(model)
        self.similarity_fct, self.scale = similarity_fct, scale

    def embedded(self, features):
        return [self.model(features[0])["sentence_embedding"],
                self.model1(features[-1])["sentence_embedding"]]

    def of(self, embeddings, labels):
        scores = self.similarity_fct(embeddings[0], embeddings[1]) * self.scale
        return (F.cross_entropy(scores, range_of(scores)) +
                F.cross_entropy(scores.t(), range_of(scores))) / 2
