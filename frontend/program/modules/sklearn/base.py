from ._base import Estimator, module_of

BaseEstimator = Estimator


class TransformerMixin:
    pass


class ClassifierMixin:
    pass


class RegressorMixin:
    pass


def clone(estimator, safe=True):
    return estimator


__getattr__ = module_of("sklearn.base")
