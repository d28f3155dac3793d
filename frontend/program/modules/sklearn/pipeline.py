from ._base import Estimator, module_of


class Pipeline(Estimator):
    def __init__(self, steps=(), **settings):
        Estimator.__init__(self, **settings)
        self.steps = list(steps)
        self.named_steps = dict(self.steps)

    def transform(self, X, *args, **options):
        for _, step in self.steps:
            X = step.transform(X) if hasattr(step, "transform") else X
        return X


def make_pipeline(*steps, **options):
    return Pipeline([(type(s).__name__.lower(), s) for s in steps])


__getattr__ = module_of("sklearn.pipeline")
