"""keras.estimator: a model that is trained as an estimator is."""

import _python
import _tilewise as _t


class _Estimator:
    def __init__(self, model, model_dir=None, config=None):
        self.model, self.model_dir, self.config = model, model_dir, config

    def train(self, input_fn, hooks=None, steps=None, max_steps=None, saving_listeners=None):
        given = {"params": {"batch_size": _t.unknown("the batch size of an estimator")},
                 "mode": "train", "config": self.config}
        names = [name for name, *_ in _python.signature(input_fn)]
        data = input_fn(**{name: given[name] for name in names if name in given})
        steps = max_steps if steps is None else steps
        length = {} if steps is None else {"steps_per_epoch": steps}
        self.model.fit(*(data if isinstance(data, tuple) else (data,)), **length)
        return self

    def evaluate(self, *args, **kwargs):
        return _t.unknown("results of an evaluation")

    def predict(self, *args, **kwargs):
        return _t.unknown("what a model predicts")

    export_saved_model = export_savedmodel = predict

    def get_variable_names(self):
        return [v.name for v in self.model.weights]


def model_to_estimator(keras_model=None, keras_model_path=None, custom_objects=None,
                       model_dir=None, config=None, **options):
    if keras_model is None:
        return _t.unknown("an estimator of a model that is read from a file")
    return _Estimator(keras_model, model_dir, config)
