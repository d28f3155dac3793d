"""Estimators whose model is given by columns of features."""

import _tilewise as _t
from tensorflow import _columns as _c
from tensorflow._tf1.estimators import Estimator, EstimatorSpec

_unk = _t.is_unknown
_KINDS = {"Adagrad": "AdagradOptimizer", "Adam": "AdamOptimizer", "Ftrl": "FtrlOptimizer",
          "RMSProp": "RMSPropOptimizer", "RMSprop": "RMSPropOptimizer",
          "SGD": "GradientDescentOptimizer", "Adadelta": "AdadeltaOptimizer"}


def _optimizer(given, usual, lr):
    """The optimizer that trains, whatever form it was given in."""
    from tensorflow._tf1 import optimizers
    if given is None:
        given = usual
    elif callable(given) and not isinstance(given, optimizers.Optimizer):
        given = given()
    if isinstance(given, str):
        kind = getattr(optimizers, _KINDS.get(given, "AdamOptimizer"))
        return kind(lr)
    if isinstance(given, optimizers.Optimizer) or _unk(given):
        return given
    kind = getattr(optimizers, _KINDS.get(type(given).__name__, "AdamOptimizer"))
    rate = getattr(given, "learning_rate", None)
    return kind(rate if isinstance(rate, (int, float)) and not _unk(rate) else lr)


def _like_data(columns):
    """Columns given as a list; a program of contrib.learn may have made none."""
    columns = _c.flat(columns)
    return columns if columns is not None else []


class _Premade(Estimator):
    """`deep`: with hidden layers; `wide`: with a linear part; `regression` or classes."""
    regression = deep = wide = False
    head = None

    def _prepare(self, deep_columns, wide_columns, hidden_units, options):
        self._deep_columns = _like_data(deep_columns)
        self._wide_columns = _like_data(wide_columns)
        self._units, self._options = hidden_units, options

    def _outputs(self):
        o = self._options
        if self.head is not None:
            return self.head.logits_dimension
        if self.regression:
            return o.get("label_dimension", 1)
        n = o.get("n_classes", 2)
        return 1 if n == 2 else n

    def _logits(self, features, mode):
        from tensorflow import feature_column
        from tensorflow._tf1 import functional_layers as F, scopes
        from tensorflow._tf1.slim_layers import relu
        total, o, n = None, self._options, self._outputs()
        if self.deep:
            with scopes.variable_scope("dnn"):
                x = feature_column.input_layer(features, self._deep_columns)
                for units in self._units:
                    x = F.dense(x, units, o.get("activation_fn") or relu)
                    if o.get("dropout"):
                        x = F.dropout(x, o["dropout"], training=mode == "train")
                    if o.get("batch_norm"):
                        x = F.batch_normalization(x, training=mode == "train")
                total = F.dense(x, n)
        if self.wide:
            with scopes.variable_scope("linear"):
                part = feature_column.linear_model(features, self._wide_columns, n)
            total = part if total is None else total + part
        return total

    def _model(self, features, labels, mode, params):
        from tensorflow._tf1 import losses
        logits = self._logits(features, mode)
        if _unk(logits):
            _t.note("the model of an estimator is not known: " + _t.reason(logits))
            return EstimatorSpec(mode, loss=logits)
        n = self._outputs()
        if self.head is not None:
            return self.head.spec(features, mode, logits, labels, self._chosen())
        if self.regression:
            loss = losses.mean_squared_error(_shaped(labels, n), logits)
        elif n == 1:
            loss = losses.sigmoid_cross_entropy(_shaped(labels, 1), logits)
        else:
            loss = losses.sparse_softmax_cross_entropy(_shaped(labels, None), logits)
        return EstimatorSpec(mode, loss=loss, train_op=self._chosen().minimize(loss))

    def _chosen(self):
        o = self._options
        if self.deep:
            return _optimizer(o.get("dnn_optimizer") or o.get("optimizer"), "Adagrad", 0.05)
        columns = max(1, len(self._wide_columns))
        return _optimizer(o.get("optimizer"), "Ftrl", min(0.2, 1.0 / columns ** 0.5))


def _shaped(labels, n):
    """Labels [examples, n], or [examples]."""
    from tensorflow._tensor import handle, wrap
    if _unk(labels) or labels is None:
        return labels
    if getattr(labels, "_strings", None) is not None:
        return wrap(_t.input([_c.rows_of(labels)] + ([n] if n else []), "s32", "labels", 0))
    h = handle(labels)
    if isinstance(labels, dict) or not _t.shape(h):
        return labels
    return wrap(_t.op("tw.reshape", [h], {"shape": [_t.shape(h)[0]] + ([n] if n else [])}))


class _Deep(_Premade):
    deep = True

    def __init__(self, hidden_units=(), feature_columns=None, model_dir=None, config=None, **kw):
        self._prepare(feature_columns, None, hidden_units, kw)
        super().__init__(self._model, model_dir, config, {})


class _Linear(_Premade):
    wide = True

    def __init__(self, feature_columns=None, model_dir=None, config=None, **kw):
        self._prepare(None, feature_columns, (), kw)
        super().__init__(self._model, model_dir, config, {})


class _Both(_Premade):
    deep = wide = True

    def __init__(self, model_dir=None, linear_feature_columns=None, dnn_feature_columns=None,
                 dnn_hidden_units=None, config=None, **kw):
        self._prepare(dnn_feature_columns, linear_feature_columns, dnn_hidden_units or (),
                      {**kw, "activation_fn": kw.get("dnn_activation_fn"),
                       "dropout": kw.get("dnn_dropout")})
        self.deep, self.wide = bool(self._deep_columns), bool(self._wide_columns)
        super().__init__(self._model, model_dir, config, {})


class DNNClassifier(_Deep):
    pass


class DNNRegressor(_Deep):
    regression = True


class LinearClassifier(_Linear):
    pass


class LinearRegressor(_Linear):
    regression = True


class DNNLinearCombinedClassifier(_Both):
    pass


class DNNLinearCombinedRegressor(_Both):
    regression = True


class _Headed:
    def __init__(self, head, *args, **kw):
        self.head = head
        super().__init__(*args, **kw)


class DNNEstimator(_Headed, _Deep):
    pass


class LinearEstimator(_Headed, _Linear):
    pass


class DNNLinearCombinedEstimator(_Headed, _Both):
    pass


class AnyRow(dict):
    """The columns of a table that is not read: each that is asked for has a number a row."""

    def __init__(self, batch):
        self.batch = batch

    def __contains__(self, key):
        return True

    def __missing__(self, key):
        from tensorflow._tensor import wrap
        made = wrap(_t.input([self.batch], "f32", str(key), 0))
        made._batch = 0
        self[key] = made
        return made
