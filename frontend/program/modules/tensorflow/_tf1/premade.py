"""Estimators whose model is given by columns of features."""

import _tilewise as _t
from tensorflow._tf1.estimators import Estimator, EstimatorSpec


def _columns(features, columns):
    """One row of numbers for each example."""
    from tensorflow._tensor import handle, wrap
    from tensorflow._tf1 import leaf as L
    if not isinstance(features, dict):
        return features
    parts = []
    for value in features.values():
        h = handle(value)
        if _t.is_unknown(h):
            return h
        h = L.convert(h, "f32")
        parts.append(L.op("tw.reshape", [h], {"shape": [L.dims(h)[0], 1]})
                     if len(L.dims(h)) == 1 else L.flatten(h))
    return wrap(parts[0] if len(parts) == 1 else L.op("tw.concatenate", parts, {"dim": 1}))


class _Deep(Estimator):
    regression = False
    hidden = True

    def __init__(self, hidden_units=(), feature_columns=None, model_dir=None, n_classes=2,
                 optimizer=None, activation_fn=None, dropout=None, config=None, **kw):
        units = list(hidden_units) if self.hidden else []

        def model_fn(features, labels, mode, params):
            from tensorflow._tf1 import functional_layers as F
            from tensorflow._tf1 import losses, optimizers
            from tensorflow._tf1.slim_layers import relu
            x = _columns(features, feature_columns)
            for n in units:
                x = F.dense(x, n, activation_fn or relu)
            if self.regression:
                loss = losses.mean_squared_error(labels, F.dense(x, 1))
            else:
                loss = losses.sparse_softmax_cross_entropy(labels, F.dense(x, max(2, n_classes)))
            opt = optimizer() if callable(optimizer) else optimizer
            if not isinstance(opt, optimizers.Optimizer):
                opt = optimizers.AdagradOptimizer(0.05)
            return EstimatorSpec(mode, loss=loss, train_op=opt.minimize(loss))
        super().__init__(model_fn, model_dir, config, {})


class DNNClassifier(_Deep):
    pass


class DNNRegressor(_Deep):
    regression = True


class LinearClassifier(_Deep):
    hidden = False

    def __init__(self, feature_columns=None, model_dir=None, n_classes=2, **kw):
        super().__init__((), feature_columns, model_dir, n_classes, **kw)


class LinearRegressor(LinearClassifier):
    regression = True
