"""The losses and metrics that `compile` was given."""

import _tilewise as _t

from tensorflow import _tensor as _x

Tensor = _x.Tensor
_unk = _t.is_unknown


def _keyed(value, names, outputs):
    """What is given for each output: one for all, a list, or a dict by name."""
    n = len(outputs)
    if isinstance(value, dict):
        if outputs and isinstance(names, list) and len(names) == n:
            return [value.get(k) for k in names]
        return (list(value.values()) + [None] * n)[:n]
    if isinstance(value, (list, tuple)):
        return (list(value) + [None] * n)[:n]
    return [value] * n


class CompiledLoss:
    def __init__(self, loss, weights, model):
        self.given, self.weights, self.model = loss, weights, model

    def _names(self, y_pred, n):
        if isinstance(y_pred, dict):
            return list(y_pred)
        graph = getattr(self.model, "_graph", None)
        if graph is not None and isinstance(graph.outputs, dict):
            return list(graph.outputs)
        return self.model.output_names if graph is not None else [None] * n

    def __call__(self, y_true, y_pred, sample_weight=None, regularization_losses=None):
        from keras import losses
        if _unk(y_pred):
            return y_pred
        total = None
        if self.given is not None:
            preds = list(y_pred.values()) if isinstance(y_pred, dict) else \
                list(y_pred) if isinstance(y_pred, (list, tuple)) else [y_pred]
            names = self._names(y_pred, len(preds))
            given = _keyed(self.given, names, preds)
            trues = [y_true] if len(preds) == 1 and not isinstance(y_true, (dict, list, tuple)) \
                else [y_true] * len(preds) if _unk(y_true) else _keyed(y_true, names, preds)
            weights = [1] * len(preds) if self.weights is None else \
                _keyed(self.weights, names, preds)
            scales = _keyed(sample_weight, names, preds)
            for name, loss, true, pred, weight, scale in zip(names, given, trues, preds, weights,
                                                             scales):
                if loss is None:
                    continue
                value = losses.apply(loss, true, pred, scale)
                if weight is not None and not _unk(weight) and weight != 1:
                    value = value * weight
                total = value if total is None else total + value
        for more in regularization_losses or ():
            total = more if total is None else total + more
        return total

    def reset_state(self):
        pass

    reset_states = reset_state

    @property
    def metrics(self):
        return []

    @property
    def _losses(self):
        return self.given


class CompiledMetrics:
    """They cost little and are not run; their names are counted."""

    def __init__(self, metrics, weighted):
        self.given = metrics
        self.names = _names(metrics) + _names(weighted)

    def update_state(self, *args, **kwargs):
        pass

    def reset_state(self):
        pass

    reset_states = reset_state

    @property
    def metrics(self):
        return []

    def __call__(self, *args, **kwargs):
        pass


def _names(metrics):
    if metrics is None or _unk(metrics):
        return []
    if isinstance(metrics, dict):
        metrics = list(metrics.values())
    if not isinstance(metrics, (list, tuple)):
        metrics = [metrics]
    names = []
    for m in metrics:
        if isinstance(m, (list, tuple)):
            names.extend(_names(m))
        elif isinstance(m, str):
            names.append(m)
        else:
            names.append(str(getattr(m, "name", None) or getattr(m, "__name__", "metric")))
    return names


