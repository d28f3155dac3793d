"""Losses on the scores of pairs. `pairs`: how many the model reads for a batch, run by run."""

import _tilewise
import torch
from torch import nn
from torch.nn import functional as F


class _Loss(nn.Module):
    texts, labels = 2, "float"

    def __init__(self, model, activation_fn=None, **options):
        nn.Module.__init__(self)
        self.model = model
        self.activation_fn = nn.Identity() if activation_fn is None else activation_fn

    def pairs(self, size, texts):
        return [size]

    def _scores(self, features):
        return self.activation_fn(self.model.logits(features).view(-1))


class BinaryCrossEntropyLoss(_Loss):
    def __init__(self, model, activation_fn=None, pos_weight=None, **options):
        _Loss.__init__(self, model, activation_fn)
        self.loss_fct = nn.BCEWithLogitsLoss(pos_weight=pos_weight)

    def forward(self, inputs, labels):
        return self.loss_fct(self._scores(inputs[0]), labels.float())


class CrossEntropyLoss(_Loss):
    labels = "int"

    def __init__(self, model, activation_fn=None, **options):
        _Loss.__init__(self, model, activation_fn)
        self.loss_fct = nn.CrossEntropyLoss(**options)

    def forward(self, inputs, labels):
        return self.loss_fct(self.activation_fn(self.model.logits(inputs[0])), labels)


class MSELoss(_Loss):
    def forward(self, inputs, labels):
        return F.mse_loss(self._scores(inputs[0]), labels.float())


class MarginMSELoss(_Loss):
    texts = 3

    def pairs(self, size, texts):
        return [size] * (texts - 1)

    def forward(self, inputs, labels):
        margin = self._scores(inputs[0]) - self._scores(inputs[1])
        return F.mse_loss(margin, labels.float())


class MultipleNegativesRankingLoss(_Loss):
    """Each query with its own texts and with `num_negatives` texts of other queries."""

    labels = None

    def __init__(self, model, num_negatives=4, scale=10.0, activation_fn=None):
        _Loss.__init__(self, model, nn.Sigmoid() if activation_fn is None else activation_fn)
        self.num_negatives, self.scale = num_negatives, scale

    def pairs(self, size, texts):
        return [size] * (texts - 1 + (self.num_negatives or 0))

    def forward(self, inputs, labels=None):
        scores = torch.stack([self._scores(each) for each in inputs], dim=1) * self.scale
        return F.cross_entropy(scores, torch.zeros(scores.shape[0], dtype=torch.int64))


class CachedMultipleNegativesRankingLoss(MultipleNegativesRankingLoss):
    def __init__(self, model, num_negatives=4, scale=10.0, mini_batch_size=32, **options):
        MultipleNegativesRankingLoss.__init__(self, model, num_negatives, scale)
        self.mini_batch_size = mini_batch_size

    def forward(self, inputs, labels=None):
        _tilewise.record("remat")
        _tilewise.note("the loss reads parts of " + str(self.mini_batch_size) + " pairs twice, "
                       "first without gradients; it is simulated as a whole batch whose forward "
                       "pass is made twice")
        return MultipleNegativesRankingLoss.forward(self, inputs, labels)


def _of_lists(name):
    """The documents of a query are as many as its row has, which only the data say."""
    def made(*args, **options):
        return _tilewise.unknown("how many documents a query of " + name + " has")
    return made


LambdaLoss, ListMLELoss, ListNetLoss = (_of_lists("LambdaLoss"), _of_lists("ListMLELoss"),
                                        _of_lists("ListNetLoss"))
PListMLELoss, RankNetLoss = _of_lists("PListMLELoss"), _of_lists("RankNetLoss")


class _Scheme:
    def __init__(self, *args, **options):
        pass


NoWeightingScheme = NDCGLoss1Scheme = NDCGLoss2Scheme = NDCGLoss2PPScheme = _Scheme
LambdaRankScheme = PListMLELambdaWeight = _Scheme
