from ._base import module_of, unknown


def classification_report(*args, **kwargs):
    return ""


def roc_curve(*args, **kwargs):
    return unknown("a curve"), unknown("a curve"), unknown("a curve")


precision_recall_curve = roc_curve
__getattr__ = module_of("sklearn.metrics")
