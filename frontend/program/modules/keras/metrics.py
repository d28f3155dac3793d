"""keras.metrics. They cost little beside a model: what they count is not run."""

import _tilewise as _t
from keras import _loss_functions as _f
from keras._layer import auto_name, snake
from tensorflow import _tensor as _x
from tensorflow._public import public

Tensor = _x.Tensor
_unk = _t.is_unknown


def number():
    """A number that the device computes."""
    return _x.wrap(_t.input([], "f32", "metric", None))


class Metric:
    def __init__(self, name=None, dtype=None, **kwargs):
        self.name = name or auto_name(snake(type(self).__name__))
        self._dtype = dtype
        for key in kwargs:
            setattr(self, key, kwargs[key])

    @property
    def dtype(self):
        return self._dtype or "float32"

    def __call__(self, *args, **kwargs):
        self.update_state(*args, **kwargs)
        return self.result()

    def update_state(self, *args, **kwargs):
        pass

    def result(self):
        return number()

    def reset_state(self):
        pass

    def reset_states(self):
        self.reset_state()

    def stateless_update_state(self, metric_variables, *args, **kwargs):
        return metric_variables

    def stateless_result(self, metric_variables):
        return self.result()

    def stateless_reset_state(self):
        return []

    def merge_state(self, metrics):
        pass

    def add_weight(self, shape=(), initializer=None, dtype=None, name=None, **ignored):
        if isinstance(shape, str):
            shape, name = ignored.get("shape", ()), shape
        sizes = [] if shape is None else [shape] if isinstance(shape, int) else list(shape)
        v = Tensor.__new__(_x.Variable)
        v._trainable = False
        v.name = (name or "count") + ":0"
        v._create(sizes, "f32" if dtype is None else _x.as_dtype(dtype).code, None)
        return v

    add_variable = add_weight

    @property
    def variables(self):
        return [v for v in self.__dict__.values() if not _unk(v) and isinstance(v, _x.Variable)]

    weights = non_trainable_variables = variables
    trainable_variables = ()
    trainable = False
    losses = ()

    def get_config(self):
        return {"name": self.name, "dtype": self._dtype}

    @classmethod
    def from_config(cls, config):
        return cls(**config)

    def stateless_update_state(self, variables, *args, **kwargs):
        return variables

    def stateless_result(self, variables):
        return number()

    def stateless_reset_state(self):
        return []


class _First(Metric):
    """Metrics whose first argument is no name."""

    def __init__(self, *args, name=None, dtype=None, **kwargs):
        Metric.__init__(self, name, dtype, **kwargs)
        if args:
            self._first = args[0]


class MeanMetricWrapper(_First):
    def __init__(self, fn=None, name=None, dtype=None, **kwargs):
        self._fn = fn
        Metric.__init__(self, name, dtype, **kwargs)


_PLAIN = ("Mean", "Sum", "Accuracy", "BinaryAccuracy", "CategoricalAccuracy",
          "SparseCategoricalAccuracy", "RootMeanSquaredError", "MeanSquaredError",
          "MeanAbsoluteError", "MeanAbsolutePercentageError", "MeanSquaredLogarithmicError",
          "CosineSimilarity", "LogCoshError", "R2Score", "Hinge", "SquaredHinge",
          "CategoricalHinge", "KLDivergence", "Poisson", "BinaryCrossentropy",
          "CategoricalCrossentropy", "SparseCategoricalCrossentropy", "F1Score", "Huber",
          "ConcordanceCorrelation", "PearsonCorrelation")
_WITH_FIRST = ("TopKCategoricalAccuracy", "SparseTopKCategoricalAccuracy", "AUC", "Precision",
               "Recall", "TruePositives", "TrueNegatives", "FalsePositives", "FalseNegatives",
               "PrecisionAtRecall", "RecallAtPrecision", "SensitivityAtSpecificity",
               "SpecificityAtSensitivity", "IoU", "BinaryIoU", "MeanIoU", "OneHotIoU",
               "OneHotMeanIoU", "FBetaScore", "MeanRelativeError", "MeanTensor")
for _name in _PLAIN:
    globals()[_name] = type(_name, (Metric,), {})
for _name in _WITH_FIRST:
    globals()[_name] = type(_name, (_First,), {})


def _accuracy(y_true, y_pred, *args, **kwargs):
    """One number for each row of the prediction."""
    h = _x.handle(y_pred)
    return _x.wrap(_t.input(list(_t.shape(h))[:-1], "f32", "accuracy"))


def _named(name):
    def function(y_true, y_pred, *args, **kwargs):
        return _accuracy(y_true, y_pred)
    function.__name__ = name
    return public(function)


for _name in ("binary_accuracy", "categorical_accuracy", "sparse_categorical_accuracy",
              "top_k_categorical_accuracy", "sparse_top_k_categorical_accuracy", "accuracy"):
    globals()[_name] = _named(_name)
globals().update(_f.FUNCTIONS)
mse = MSE = _f.FUNCTIONS["mean_squared_error"]
mae = MAE = _f.FUNCTIONS["mean_absolute_error"]
mape = MAPE = _f.FUNCTIONS["mean_absolute_percentage_error"]
kld = KLD = kullback_leibler_divergence = _f.FUNCTIONS["kl_divergence"]


def get(identifier):
    if isinstance(identifier, str):
        found = globals().get(identifier)
        return found() if isinstance(found, type) else found
    return identifier


def serialize(metric):
    return getattr(metric, "name", None)


deserialize = get
