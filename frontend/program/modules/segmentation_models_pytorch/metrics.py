"""Metrics: they are numbers of the host, which cost little beside a model."""

import _tilewise


def _number():
    return _tilewise.unknown("a number that training gives")


def get_stats(output, target, mode, ignore_index=None, threshold=None, num_classes=None):
    return _number(), _number(), _number(), _number()


def iou_score(tp, fp, fn, tn, reduction=None, class_weights=None, zero_division=1.0, **options):
    return _number()


f1_score = fbeta_score = accuracy = precision = recall = sensitivity = specificity = iou_score
balanced_accuracy = positive_predictive_value = negative_predictive_value = iou_score
false_positive_rate = false_negative_rate = iou_score
