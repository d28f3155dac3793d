"""Metrics of texts."""

from keras.metrics import Metric


class Perplexity(Metric):
    pass


class Bleu(Metric):
    pass


class RougeL(Metric):
    pass


class RougeN(Metric):
    pass


class EditDistance(Metric):
    pass
