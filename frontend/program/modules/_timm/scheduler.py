"""Schedules of the learning rate, whose numbers do not matter."""


class Scheduler:
    def __init__(self, optimizer=None, param_group_field="lr", *args, **kwargs):
        self.optimizer, self.param_group_field = optimizer, param_group_field
        if not isinstance(param_group_field, str):
            self.param_group_field = param_group_field = "lr"
        groups = getattr(optimizer, "param_groups", None) or []
        self.base_values = [g.get("initial_" + param_group_field, g.get(param_group_field))
                            for g in groups]
        self.metric = None

    def update_groups(self, values):
        pass

    def step(self, epoch=None, metric=None):
        pass

    def step_update(self, num_updates=None, metric=None):
        pass

    def state_dict(self):
        return {}

    def load_state_dict(self, state):
        pass

    def get_cycle_length(self, *args):
        return 0


(CosineLRScheduler, StepLRScheduler, MultiStepLRScheduler, PlateauLRScheduler, TanhLRScheduler,
 PolyLRScheduler) = [type(n, (Scheduler,), {}) for n in (
     "CosineLRScheduler", "StepLRScheduler", "MultiStepLRScheduler", "PlateauLRScheduler",
     "TanhLRScheduler", "PolyLRScheduler")]


def scheduler_kwargs(cfg, **options):
    return {}


def create_scheduler(args, optimizer):
    return Scheduler(optimizer), args.epochs


def create_scheduler_v2(optimizer, sched="cosine", num_epochs=300, **options):
    return Scheduler(optimizer), num_epochs


class cosine_lr:
    CosineLRScheduler = CosineLRScheduler


class step_lr:
    StepLRScheduler = StepLRScheduler


class scheduler:
    Scheduler = Scheduler
