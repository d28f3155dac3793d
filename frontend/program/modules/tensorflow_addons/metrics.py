"""tfa.metrics."""

from keras.metrics import F1Score, FBetaScore, Metric, R2Score as RSquare


class CohenKappa(Metric):
    def __init__(self, num_classes=None, **kwargs):
        Metric.__init__(self, **kwargs)


class MatthewsCorrelationCoefficient(CohenKappa):
    pass


class HammingLoss(CohenKappa):
    pass


class MultiLabelConfusionMatrix(CohenKappa):
    pass
