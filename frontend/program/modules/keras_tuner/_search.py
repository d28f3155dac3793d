"""Searches: one trial is read."""

import _tilewise as _t
from keras_tuner._values import HyperModel, HyperParameters


class Objective:
    def __init__(self, name, direction=None):
        self.name, self.direction = name, direction


class _Trial:
    trial_id = "0"
    score = best_step = None
    status = "COMPLETED"

    def __init__(self, hp):
        self.hyperparameters = hp
        self.score = _t.unknown("the score of a trial")


class _OfFunction(HyperModel):
    """A function that builds a model."""

    def __init__(self, function):
        HyperModel.__init__(self)
        self.function = function

    def build(self, hp):
        return self.function(hp)


class _Oracle:
    def __init__(self, *args, **kwargs):
        self.trials = {}
        self.objective = kwargs.get("objective")

    def get_best_trials(self, num_trials=1):
        return list(self.trials.values())

    def update_trial(self, *args, **kwargs):
        pass


class BaseTuner:
    def __init__(self, hypermodel=None, objective=None, hyperparameters=None, oracle=None,
                 project_name=None, directory=None, **options):
        if isinstance(hypermodel, _Oracle):
            hypermodel, oracle = objective, hypermodel
        self.hypermodel = hypermodel if not callable(hypermodel) or \
            isinstance(hypermodel, HyperModel) else _OfFunction(hypermodel)
        self.hp = hyperparameters if hyperparameters is not None else HyperParameters()
        self.oracle = oracle if oracle is not None else _Oracle(objective=objective)
        self.options = options
        self.directory, self.project_name = directory, project_name
        self._model = None

    def build(self, hp):
        return self.hypermodel.build(hp)

    def _made(self):
        model = self.build(self.hp)
        given = self.options
        if not _t.is_unknown(model) and (given.get("loss") or given.get("optimizer")):
            model.compile(optimizer=given.get("optimizer", "rmsprop"), loss=given.get("loss"),
                          metrics=given.get("metrics"))
        return model

    def search(self, *fit_args, **fit_kwargs):
        _t.note("a search tries many models; the one with the first values is read")
        trial = _Trial(self.hp)
        self.oracle.trials["0"] = trial
        self.run_trial(trial, *fit_args, **fit_kwargs)

    def run_trial(self, trial, *fit_args, **fit_kwargs):
        self._model = model = self._made()
        if _t.is_unknown(model):
            _t.note("the model that is searched for is not known: " + _t.reason(model))
            return None
        if isinstance(self.hypermodel, HyperModel):
            return self.hypermodel.fit(self.hp, model, *fit_args, **fit_kwargs)
        return model.fit(*fit_args, **fit_kwargs)

    def get_best_models(self, num_models=1):
        if self._model is None:
            self._model = self._made()
        return [self._model] * num_models

    def get_best_hyperparameters(self, num_trials=1):
        return [self.hp] * num_trials

    def get_best_trials(self, num_trials=1):
        return [_Trial(self.hp)] * num_trials

    def _quiet(self, *args, **kwargs):
        return None

    search_space_summary = results_summary = reload = save = load = save_model = _quiet
    on_trial_end = on_epoch_end = on_epoch_begin = on_batch_begin = on_batch_end = _quiet


class Tuner(BaseTuner):
    pass


class RandomSearch(Tuner):
    pass


class BayesianOptimization(Tuner):
    pass


class Hyperband(Tuner):
    pass


class GridSearch(Tuner):
    pass


class SklearnTuner(BaseTuner):
    def run_trial(self, trial, *args, **kwargs):
        return None
