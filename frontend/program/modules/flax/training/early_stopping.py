"""flax.training.early_stopping."""


class EarlyStopping:
    def __init__(self, min_delta=0, patience=0, best_metric=float("inf"), patience_count=0,
                 should_stop=False, has_improved=False):
        self.should_stop = False
        self.has_improved = False
        self.best_metric = best_metric
        self.patience_count = 0

    def update(self, metric):
        return self

    def reset(self):
        return self
