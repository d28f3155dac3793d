"""keras.callbacks. They run on the host between steps and are not called."""

import _python

class Callback:
    params = None

    def __new__(cls, *args, **kwargs):
        made = object.__new__(cls)
        made._place, made._given = _python.place(), kwargs
        return made

    def __init__(self, *args, **kwargs):
        self._args, self._kwargs = args, kwargs
        self.validation_data = None
        self._model = None
        for key in kwargs:
            setattr(self, key, kwargs[key])

    @property
    def model(self):
        return self._model

    def set_model(self, model):
        self._model = model

    def set_params(self, params):
        self.params = params

    def _nothing(self, *args, **kwargs):
        pass

    on_epoch_begin = on_epoch_end = on_batch_begin = on_batch_end = _nothing
    on_train_begin = on_train_end = on_train_batch_begin = on_train_batch_end = _nothing
    on_test_begin = on_test_end = on_test_batch_begin = on_test_batch_end = _nothing
    on_predict_begin = on_predict_end = on_predict_batch_begin = on_predict_batch_end = _nothing


class CallbackList(Callback):
    def __init__(self, callbacks=None, add_history=False, add_progbar=False, model=None,
                 **params):
        Callback.__init__(self)
        self.callbacks = list(callbacks) if isinstance(callbacks, (list, tuple)) else []
        if model is not None:
            self.set_model(model)

    def append(self, callback):
        self.callbacks.append(callback)

    def set_model(self, model):
        self._model = model
        for callback in self.callbacks:
            callback.set_model(model)

    def set_params(self, params):
        self.params = params
        for callback in self.callbacks:
            callback.set_params(params)

    def __iter__(self):
        return iter(self.callbacks)


class EarlyStopping(Callback):
    stopped_epoch = 0
    best_epoch = 0


class LearningRateScheduler(Callback):
    def __init__(self, schedule=None, verbose=0):
        Callback.__init__(self)
        self.schedule, self.verbose = schedule, verbose


class LambdaCallback(Callback):
    pass


for _name in ("ModelCheckpoint", "ReduceLROnPlateau", "TensorBoard", "CSVLogger", "History",
              "ProgbarLogger", "RemoteMonitor", "TerminateOnNaN", "BackupAndRestore",
              "SwapEMAWeights", "BaseLogger", "MonitorCallback", "OrbaxCheckpoint"):
    globals()[_name] = type(_name, (Callback,), {})


class experimental:
    BackupAndRestore = globals()["BackupAndRestore"]


