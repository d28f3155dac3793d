"""What surrounds training."""

import _tilewise


class _Text(str):
    """A member of an enumeration of texts."""

    @property
    def value(self):
        return str(self)

    @property
    def name(self):
        return str(self).upper()

    def __getattr__(self, name):
        if name[:2] == "__":
            raise AttributeError(name)
        return _Text(name.lower())


class IntervalStrategy:
    NO, STEPS, EPOCH = _Text("no"), _Text("steps"), _Text("epoch")


EvaluationStrategy = SaveStrategy = IntervalStrategy


class SchedulerType(str):
    """Kinds of schedules; a program's own text makes one."""
    LINEAR, COSINE, CONSTANT = _Text("linear"), _Text("cosine"), _Text("constant")
    COSINE_WITH_RESTARTS = _Text("cosine_with_restarts")
    POLYNOMIAL, CONSTANT_WITH_WARMUP = _Text("polynomial"), _Text("constant_with_warmup")
    INVERSE_SQRT = _Text("inverse_sqrt")


class HubStrategy:
    END, EVERY_SAVE = _Text("end"), _Text("every_save")


class EvalPrediction:
    def __init__(self, predictions=None, label_ids=None, inputs=None, losses=None):
        self.predictions, self.label_ids, self.inputs = predictions, label_ids, inputs

    def __iter__(self):
        return iter((self.predictions, self.label_ids))


class PredictionOutput(EvalPrediction):
    def __init__(self, predictions=None, label_ids=None, metrics=None):
        EvalPrediction.__init__(self, predictions, label_ids)
        self.metrics = metrics


EvalLoopOutput = PredictionOutput


class TrainOutput:
    """What train() gives; losses are known when the program runs only."""

    def __init__(self, global_step=0, training_loss=0.0, metrics=None):
        self.global_step, self.training_loss, self.metrics = global_step, training_loss, metrics

    def __iter__(self):
        return iter((self.global_step, self.training_loss, self.metrics))

    def __getitem__(self, i):
        return (self.global_step, self.training_loss, self.metrics)[i]


class _Main:
    def __enter__(self):
        return self

    def __exit__(self, *error):
        return False


def set_seed(seed, deterministic=False):
    pass


def enable_full_determinism(seed, warn_only=False):
    pass


def get_last_checkpoint(folder):
    return None


def speed_metrics(*args, **kwargs):
    return {}


def is_main_process(local_rank):
    return True


def number_of_arguments(function):
    import _python
    return len(_python.signature(function))


def denumpify_detensorize(metrics):
    return metrics


has_length = hasattr
PREFIX_CHECKPOINT_DIR = "checkpoint"


def seed_worker(*args):
    pass


def unknown_metrics():
    return _tilewise.unknown("what a model gets in an evaluation")
