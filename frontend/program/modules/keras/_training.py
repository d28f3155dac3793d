"""compile, fit and what goes with them."""

import _tilewise as _t
from keras import _batch, _node, distribution
from keras._weights import fitting
from tensorflow import _tensor as _x
from tensorflow._public import state

Tensor = _x.Tensor
_unk = _t.is_unknown


def unpack(data):
    """(x, y, sample weight) of what a step is given."""
    if isinstance(data, list):
        data = tuple(data)
    if not isinstance(data, tuple):
        return data, None, None
    return (tuple(data) + (None, None))[:3]


class History:
    """What `fit` returns: its numbers are not known."""

    def __init__(self, model=None, epochs=1):
        self.model, self.params = model, {}
        n = epochs if isinstance(epochs, int) and not _unk(epochs) and epochs < 1000 else 1
        self.epoch = list(range(n))
        self.history = _Numbers(n)

    def on_epoch_end(self, *args):
        pass


class _Numbers(dict):
    """A list of numbers for each key."""

    def __init__(self, n):
        self._n = n

    def _row(self):
        return [_t.unknown("a number that training gives") for _ in range(self._n)]

    def __getitem__(self, key):
        return self._row()

    def get(self, key, default=None):
        return self._row()

    def __contains__(self, key):
        return True

    def keys(self):
        return ["loss", "val_loss"]

    def items(self):
        return [(k, self._row()) for k in self.keys()]

    def values(self):
        return [self._row() for k in self.keys()]


class _Results(list):
    """Numbers of an evaluation; how many there are depends on the version of Keras."""

    def __getitem__(self, index):
        if isinstance(index, int) and not -len(self) <= index < len(self):
            return _t.unknown("a number that evaluation gives")
        return list.__getitem__(self, index)


class Trainer:
    optimizer = None
    loss = None
    stop_training = False
    _compiled = None
    _loss = None
    run_eagerly = False
    jit_compile = False
    steps_per_execution = 1
    _steps_given = None
    _kept_trainable = None  # layers and whether they were trained when the model was compiled

    def compile(self, optimizer="rmsprop", loss=None, metrics=None, loss_weights=None,
                weighted_metrics=None, run_eagerly=False, steps_per_execution=None,
                jit_compile="auto", auto_scale_loss=True, **ignored):
        from keras import optimizers
        from keras._compiled import CompiledLoss, CompiledMetrics
        self.optimizer = optimizers.get(optimizer)
        self.loss = loss
        self._loss = None if loss is None else CompiledLoss(loss, loss_weights, self)
        self._compiled = CompiledMetrics(metrics, weighted_metrics)
        self.run_eagerly = run_eagerly
        self._experimental_run_tf_function = False
        self._steps_given = steps_per_execution
        self._kept_trainable = [(layer, layer._trainable) for layer in self._flatten_layers()]
        if steps_per_execution is None:
            steps_per_execution = ignored.get("experimental_steps_per_execution")
            self._steps_given = steps_per_execution
        _t.record("compile", steps_per_execution=steps_per_execution, jit_compile=jit_compile,
                  run_eagerly=run_eagerly, model=self, optimizer=self.optimizer, loss=loss)

    @property
    def compiled(self):
        return self._compiled is not None

    @property
    def compiled_loss(self):
        if self._loss is None:
            from keras._compiled import CompiledLoss
            return CompiledLoss(None, None, self)
        return self._loss

    @property
    def compiled_metrics(self):
        if self._compiled is None:
            from keras._compiled import CompiledMetrics
            self._compiled = CompiledMetrics(None, None)
        return self._compiled

    _compile_metrics = compiled_metrics
    _compile_loss = compiled_loss

    @property
    def metrics_names(self):
        names = self.output_names if getattr(self, "_graph", None) is not None else []
        found = self.compiled_metrics.names
        if len(names) < 2:
            return ["loss"] + found
        return ["loss"] + [n + "_loss" for n in names] + [n + "_" + m for n in names
                                                          for m in found]

    def _as_compiled(self):
        """What was trained when `compile` was called is trained; gives what to set back."""
        changed = []
        for layer, trained in self._kept_trainable or ():
            if layer._trainable != trained:
                changed.append((layer, layer._trainable))
                layer._trainable = trained
        return changed

    # -- one step

    def compute_loss(self, x=None, y=None, y_pred=None, sample_weight=None, training=True):
        total = None
        if self._loss is not None:
            _t.scope("loss")
            try:
                graph = getattr(self, "_graph", None)
                apply = lambda: self._loss(y, y_pred, sample_weight)
                total = apply() if graph is None else graph.lossed(apply)
            finally:
                _t.scope(state.scope[:-1])
            if _unk(total):
                return total  # what regularises the weights is no step by itself
        for loss in self.losses:
            total = _scalar(loss) if total is None else total + _scalar(loss)
        return total

    def compute_metrics(self, x, y, y_pred, sample_weight=None):
        return self.get_metrics_result()

    def get_metrics_result(self):
        return {"loss": _t.unknown("a number that training gives")}

    def _validate_target_and_loss(self, y, loss):
        pass

    def train_step(self, data):
        from keras import optimizers
        x, y, weight = unpack(data)
        y_pred = self(x, training=True)
        self._settle()
        if type(self).compute_loss is Trainer.compute_loss:
            loss = self.compute_loss(x, y, y_pred, weight)
        else:
            loss = self.compute_loss(x=x, y=y, y_pred=y_pred, sample_weight=weight)
        if loss is None or _unk(loss):
            if loss is not None:
                _t.note("the loss is not known: " + _t.reason(loss))
            else:
                raise ValueError("No loss to compute. Provide a `loss` argument in `compile()`.")
            return {}
        variables = self.trainable_variables
        optimizers.train(self.optimizer, loss, variables)
        return {"loss": loss}

    def test_step(self, data):
        x, y, weight = unpack(data)
        y_pred = self(x, training=False)
        return {"loss": self.compute_loss(x=x, y=y, y_pred=y_pred, sample_weight=weight)}

    def predict_step(self, data):
        return self(unpack(data)[0], training=False)

    def make_train_function(self, force=False):
        return lambda iterator: self.train_step(next(iterator))

    def make_test_function(self, force=False):
        return lambda iterator: self.test_step(next(iterator))

    def _settle(self):
        """What is trained, and the record of the model, as they are now."""
        waits = self._unbuilt()
        if waits is not None:
            _t.note("the weights of " + str(self.name) + " are not all known: layer " +
                    str(waits.name) + " was given no data that is known")
            return
        trained, others = [], []
        for v, trains in self._all():
            if trains and _t.dtype(v._h) in _x.FLOATS:
                trained.append(v._h)
            else:
                others.append(v._h)
            if v._trainable:
                _t.set_trainable(v._h, bool(trains))
        _t.record("model", name=str(self.name), parameters=trained, buffers=others)

    def fit(self, x=None, y=None, batch_size=None, epochs=1, verbose="auto", callbacks=None,
            validation_split=0.0, validation_data=None, shuffle=True, class_weight=None,
            sample_weight=None, initial_epoch=0, steps_per_epoch=None, validation_steps=None,
            validation_batch_size=None, validation_freq=1, **ignored):
        _batch.used(x, "train")
        _batch.used(validation_data, "evaluate")
        asked = {"steps_per_epoch": steps_per_epoch, "batch_size": batch_size, "epochs": epochs,
                 "callbacks": callbacks, "x": x}
        if "nb_epoch" in ignored:
            epochs = asked["epochs"] = ignored["nb_epoch"]
        _t.record("fitting", model=self, **asked)
        if x is None and "generator" in ignored:
            x = ignored["generator"]
        batch = _batch.of(self, x, y, sample_weight, batch_size, validation_split)
        _batch.record_arrays(x, y, batch)
        if steps_per_epoch is None:
            steps_per_epoch = batch.steps
        _t.record("fit", by="keras", steps_per_epoch=steps_per_epoch, batch_size=batch.size,
                  steps_per_execution=self._steps_given, model=self, asked=asked)
        if not batch.guessed:
            _t.record("batch", size=batch.size, what="fit")
        _t.record("epochs", count=epochs)
        self._keep_written(callbacks)
        distribution.split_batch(_node.flat(batch.data))
        self._train_once(batch.data)
        self.history = History(self, epochs)
        return self.history

    fit_generator = fit

    def _keep_written(self, callbacks):
        """Notes where checkpoints of whole models are written."""
        from keras import _saving
        for c in callbacks if isinstance(callbacks, (list, tuple)) else [callbacks]:
            if c is not None and not _unk(c) and type(c).__name__ == "ModelCheckpoint":
                _saving.written(self, c._kwargs.get("filepath", c._args[0] if c._args else None))

    def _train_once(self, data):
        _t.record("keras_batch")  # what is known of its size is recorded by who made it
        changed = self._as_compiled()
        try:
            self._train_as_compiled(data)
        finally:
            for layer, trained in changed:
                layer._trainable = trained

    def _train_as_compiled(self, data):
        if self.built:
            self._settle()
        self._clear_losses()
        before, state.training = state.training, None
        fitting[0] += 1
        try:
            self.train_step(data)
        finally:
            state.training = before
            fitting[0] -= 1
        if self.trainable is not None:
            self._settle()

    def train_on_batch(self, x, y=None, sample_weight=None, class_weight=None,
                       reset_metrics=True, return_dict=False):
        batch = _batch.of(self, x, y, sample_weight, None if _unk(x) else _rows(x), 0)
        if not _unk(x):  # else as many as the program hands over
            _t.record("batch", size=batch.size, what="train_on_batch")
        self._train_once(batch.data)
        return self._results(return_dict)

    def test_on_batch(self, x, y=None, sample_weight=None, return_dict=False, **ignored):
        return self._results(return_dict)

    # -- evaluation

    def _results(self, return_dict=False):
        names = self.metrics_names
        if return_dict:
            return {n: _t.unknown("a number that evaluation gives") for n in names}
        if len(names) == 1:
            return _t.unknown("a number that evaluation gives")
        return _Results([_t.unknown("a number that evaluation gives") for _ in names])

    def evaluate(self, x=None, y=None, batch_size=None, verbose="auto", sample_weight=None,
                 steps=None, callbacks=None, return_dict=False, **ignored):
        _batch.used(x, "evaluate")
        return self._results(return_dict)

    evaluate_generator = evaluate

    def predict(self, x=None, batch_size=None, verbose="auto", steps=None, callbacks=None,
                **ignored):
        """Arrays of the right shape, of which no number is known."""
        _batch.used(x, "evaluate")
        outputs = self.outputs if hasattr(self, "outputs") else None
        count = None if x is None or _unk(x) else _rows(x)
        if not outputs or count is None or _unk(count):
            return _t.unknown("what a model predicts")
        import numpy
        made = []
        for t in outputs:
            sizes = [count] + list(t.shape)[1:]
            made.append(_t.unknown("what a model predicts") if None in sizes
                        else numpy.ndarray(sizes, numpy.float32))
        return made[0] if len(made) == 1 else made

    predict_on_batch = predict_generator = predict

    def reset_metrics(self):
        pass

    def compute_output_names(self):
        return []


def _rows(x):
    """How many examples arrays have."""
    array = _batch._first(_batch._arrays(x))
    if array is None or not len(array.shape):
        return None
    n = array.shape[0]
    return None if _unk(n) else n


def _scalar(loss):
    """The mean of what is more than one number."""
    if isinstance(loss, Tensor) and _t.shape(loss._h):
        return _x.wrap(_t.op("tw.reduce", [loss._h], {"kind": "mean"}))
    return loss


