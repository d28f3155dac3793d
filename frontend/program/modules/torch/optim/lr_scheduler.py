"""Schedules: the learning rate of the first steps is that of the optimizer."""


class LRScheduler:
    def __init__(self, optimizer, *args, last_epoch=-1, verbose=False, **kwargs):
        self.optimizer, self.last_epoch, self._step_count = optimizer, 0, 1
        self.base_lrs = [g.get("lr") for g in optimizer.param_groups]

    def step(self, *args, **kwargs):
        self.last_epoch += 1
        self._step_count += 1

    def get_last_lr(self):
        return [g.get("lr") for g in self.optimizer.param_groups]

    get_lr = get_last_lr

    def state_dict(self):
        return {}

    def load_state_dict(self, state_dict):
        pass


_LRScheduler = LRScheduler


def _schedule(name):
    class Schedule(LRScheduler):
        def __init__(self, optimizer, *args, **kwargs):
            LRScheduler.__init__(self, optimizer)
    Schedule.__name__ = Schedule.__qualname__ = name
    return Schedule


(StepLR, MultiStepLR, ConstantLR, LinearLR, ExponentialLR, CosineAnnealingLR, PolynomialLR,
 LambdaLR, MultiplicativeLR, ReduceLROnPlateau, CyclicLR, OneCycleLR, CosineAnnealingWarmRestarts,
 SequentialLR) = [_schedule(n) for n in (
     "StepLR", "MultiStepLR", "ConstantLR", "LinearLR", "ExponentialLR", "CosineAnnealingLR",
     "PolynomialLR", "LambdaLR", "MultiplicativeLR", "ReduceLROnPlateau", "CyclicLR", "OneCycleLR",
     "CosineAnnealingWarmRestarts", "SequentialLR")]


class ChainedScheduler(LRScheduler):
    def __init__(self, schedulers, optimizer=None):
        LRScheduler.__init__(self, schedulers[0].optimizer)
