"""keras.losses."""

import _tilewise as _t
from keras import _loss_functions as _f
from keras._node import as_now
from tensorflow import _tensor as _x
from tensorflow._public import public

Tensor = _x.Tensor
_unk = _t.is_unknown
globals().update(_f.FUNCTIONS)
mse = MSE = _f.FUNCTIONS["mean_squared_error"]
mae = MAE = _f.FUNCTIONS["mean_absolute_error"]
mape = MAPE = _f.FUNCTIONS["mean_absolute_percentage_error"]
msle = MSLE = _f.FUNCTIONS["mean_squared_logarithmic_error"]
kld = KLD = kullback_leibler_divergence = _f.FUNCTIONS["kl_divergence"]
logcosh = _f.FUNCTIONS["log_cosh"]
bce = BCE = _f.FUNCTIONS["binary_crossentropy"]
cosine_proximity = cosine = _f.FUNCTIONS["cosine_similarity"]


class Reduction:
    AUTO = "auto"
    NONE = "none"
    SUM = "sum"
    SUM_OVER_BATCH_SIZE = "sum_over_batch_size"

    @classmethod
    def all(cls):
        return ("auto", "none", "sum", "sum_over_batch_size")


def reduced(value, reduction="sum_over_batch_size", weight=None, mask=None):
    """The losses of the examples as one number."""
    if _unk(value):
        return value
    h = _x.handle(value)
    if weight is not None and not _unk(weight):
        h = _weighted(h, weight)
    if mask is not None and list(_t.shape(mask._h)) == list(_t.shape(h)):
        h = _weighted(h, mask)
        if reduction not in ("none", None, "sum"):
            total = _t.op("tw.reduce", [_x.convert(mask._h, _t.dtype(h))], {"kind": "sum"})
            h = _t.op("tw.reduce", [h], {"kind": "sum"})
            return _x.wrap(_t.op("tw.binary", [h, total], {"kind": "divide"}))
    if reduction in ("none", None) or not _t.shape(h):
        return _x.wrap(h)
    return _x.wrap(_t.op("tw.reduce", [h], {"kind": "sum" if reduction == "sum" else "mean"}))


def _weighted(h, weight):
    w = _x.handle(weight, _x.BY_CODE[_t.dtype(h)])
    have, want = list(_t.shape(w)), list(_t.shape(h))
    if len(have) == len(want) + 1 and have[-1] == 1:
        w = _t.op("tw.reshape", [w], {"shape": have[:-1]})
    elif len(have) < len(want):
        w = _t.op("tw.reshape", [w], {"shape": have + [1] * (len(want) - len(have))})
    return _t.op("tw.binary", [h, w], {"kind": "multiply"})


class Loss:
    def __init__(self, name=None, reduction="sum_over_batch_size", dtype=None):
        self.name = name or type(self).__name__
        self.reduction = reduction
        self.dtype = dtype

    def __call__(self, y_true, y_pred, sample_weight=None):
        if _unk(y_pred):
            return y_pred
        return _called(self, y_true, y_pred, sample_weight)

    def call(self, y_true, y_pred):
        raise NotImplementedError

    def _value(self, y_true, y_pred, sample_weight):
        before = _f.recorded[0]
        mask = getattr(y_pred, "_keras_mask", None)
        if not isinstance(self, LossFunctionWrapper):
            y_true, y_pred = _tensors(y_true, y_pred)
        value = reduced(self.call(y_true, y_pred), getattr(self, "reduction", "mean"),
                        sample_weight, mask)
        if not _unk(value) and _f.recorded[0] == before:
            _t.record("loss", value=value._h, name=str(getattr(self, "name", "loss")),
                      from_logits=False, sparse=False)
        return value

    def get_config(self):
        return {"name": self.name, "reduction": self.reduction}

    @classmethod
    def from_config(cls, config):
        return cls(**config)


def _call_loss(loss, y_true, y_pred, sample_weight):
    return loss._value(y_true, y_pred, sample_weight)


_called = public(_call_loss)


def _tensors(y_true, y_pred):
    """What a loss of the program's own is given: tensors."""
    if not isinstance(y_pred, (Tensor, list, tuple, dict)):
        y_pred = _x.tensor(y_pred)
    if _unk(y_true) or y_true is None:
        if isinstance(y_pred, Tensor) and len(_t.shape(y_pred._h)):
            y_true = _x.wrap(_t.input(list(_t.shape(y_pred._h)), _t.dtype(y_pred._h), "y"))
    elif not isinstance(y_true, (Tensor, dict, list, tuple)):
        y_true = _x.tensor(y_true)
    return y_true, y_pred


class LossFunctionWrapper(Loss):
    def __init__(self, fn, reduction="sum_over_batch_size", name=None, dtype=None, **kwargs):
        Loss.__init__(self, name or getattr(fn, "__name__", "loss"), reduction, dtype)
        self.fn, self._fn_kwargs = fn, kwargs

    def call(self, y_true, y_pred):
        return self.fn(y_true, y_pred, **self._fn_kwargs)


def _class(name, function, **options):
    """A class of a function; `options` are what its constructor takes beside the usual."""
    plain = getattr(function, "__wrapped__", function)
    names = list(options)

    def start(self, *args, **kwargs):
        kept = dict(options)
        rest = ["reduction", "name", "dtype"]
        for given, value in zip(names + rest, args):
            kwargs.setdefault(given, value)
        for key in names:
            if key in kwargs:
                kept[key] = kwargs.pop(key)
        for key in kept:
            setattr(self, key, kept[key])
        LossFunctionWrapper.__init__(self, plain, kwargs.get("reduction", "sum_over_batch_size"),
                                     kwargs.get("name") or plain.__name__, kwargs.get("dtype"),
                                     **kept)
    return type(name, (LossFunctionWrapper,), {"__init__": start, "__module__": "keras.losses"})


_F = _f.FUNCTIONS
MeanSquaredError = _class("MeanSquaredError", _F["mean_squared_error"])
MeanAbsoluteError = _class("MeanAbsoluteError", _F["mean_absolute_error"])
MeanAbsolutePercentageError = _class("MeanAbsolutePercentageError",
                                     _F["mean_absolute_percentage_error"])
MeanSquaredLogarithmicError = _class("MeanSquaredLogarithmicError",
                                     _F["mean_squared_logarithmic_error"])
CategoricalCrossentropy = _class("CategoricalCrossentropy", _F["categorical_crossentropy"],
                                 from_logits=False, label_smoothing=0.0, axis=-1)
SparseCategoricalCrossentropy = _class(
    "SparseCategoricalCrossentropy", _F["sparse_categorical_crossentropy"], from_logits=False,
    ignore_class=None, axis=-1)
BinaryCrossentropy = _class("BinaryCrossentropy", _F["binary_crossentropy"], from_logits=False,
                            label_smoothing=0.0, axis=-1)
BinaryFocalCrossentropy = _class(
    "BinaryFocalCrossentropy", _F["binary_focal_crossentropy"], apply_class_balancing=False,
    alpha=0.25, gamma=2.0, from_logits=False, label_smoothing=0.0, axis=-1)
CategoricalFocalCrossentropy = _class(
    "CategoricalFocalCrossentropy", _F["categorical_focal_crossentropy"], alpha=0.25, gamma=2.0,
    from_logits=False, label_smoothing=0.0, axis=-1)
Hinge = _class("Hinge", _F["hinge"])
SquaredHinge = _class("SquaredHinge", _F["squared_hinge"])
CategoricalHinge = _class("CategoricalHinge", _F["categorical_hinge"])
Huber = _class("Huber", _F["huber"], delta=1.0)
LogCosh = _class("LogCosh", _F["log_cosh"])
KLDivergence = _class("KLDivergence", _F["kl_divergence"])
Poisson = _class("Poisson", _F["poisson"])
CosineSimilarity = _class("CosineSimilarity", _F["cosine_similarity"], axis=-1)
Dice = _class("Dice", _F["dice"], axis=None)
Tversky = _class("Tversky", _F["tversky"], alpha=0.5, beta=0.5, axis=None)
CTC = _class("CTC", _F["ctc"])
Circle = _class("Circle", _F["circle"], gamma=80, margin=0.4, remove_diagonal=True)


def get(identifier):
    """A loss by any of its names."""
    if identifier is None or _unk(identifier):
        return identifier
    if isinstance(identifier, dict):
        return get(identifier.get("class_name"))(**identifier.get("config", {}))
    if isinstance(identifier, type):
        return identifier()
    if isinstance(identifier, str):
        from keras._registry import custom_object
        found = custom_object(identifier)
        if found is None:
            found = globals().get(identifier)
        if found is None:
            found = globals().get(identifier.lower())
        if found is None:
            raise ValueError("Could not interpret loss identifier: " + identifier)
        return found() if isinstance(found, type) else found
    return identifier


def serialize(loss, **ignored):
    return getattr(loss, "name", None) or getattr(loss, "__name__", None)


deserialize = get


def apply(loss, y_true, y_pred, weight=None):
    """The number that a loss given to `compile` makes of one output."""
    loss = get(loss)
    if _unk(loss):
        return loss
    if isinstance(loss, Loss):
        return as_now(loss(y_true, y_pred, weight) if weight is not None
                      else loss(y_true, y_pred))
    before = _f.recorded[0]
    mask = getattr(y_pred, "_keras_mask", None)
    if getattr(loss, "__wrapped__", None) not in _f.FUNCTIONS.values() and \
            loss not in list(_f.FUNCTIONS.values()):
        y_true, y_pred = _tensors(y_true, y_pred)
    value = as_now(loss(y_true, y_pred))
    if not _unk(value) and not isinstance(value, Tensor):
        value = _x.tensor(value)
    value = reduced(value, "mean", weight, mask)
    if not _unk(value) and _f.recorded[0] == before:
        _t.record("loss", value=value._h, name=str(getattr(loss, "__name__", None) or
                                                   getattr(loss, "name", "loss")),
                  from_logits=False, sparse=False)
    return value
