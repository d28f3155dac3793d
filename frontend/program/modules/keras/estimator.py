"""keras.estimator: a model that is trained as an estimator is."""

import _tilewise as _t


class _Estimator:
    def __init__(self, model, model_dir=None):
        self.model, self.model_dir = model, model_dir

    def train(self, input_fn, hooks=None, steps=None, max_steps=None, saving_listeners=None):
        data = input_fn()
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
    return _Estimator(keras_model, model_dir)
