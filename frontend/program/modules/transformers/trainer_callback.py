"""Callbacks: what they do beside training is not followed."""


class TrainerState:
    def __init__(self, **values):
        self.epoch, self.global_step, self.max_steps, self.num_train_epochs = 0, 0, 1, 1
        self.log_history, self.best_model_checkpoint, self.best_metric = [], None, None
        self.is_local_process_zero = self.is_world_process_zero = True
        self.__dict__.update(values)


class TrainerControl:
    should_training_stop = should_epoch_stop = should_save = should_evaluate = False
    should_log = False

    def __init__(self, **values):
        self.__dict__.update(values)


def _event(self, args, state, control, **kwargs):
    return control


class TrainerCallback:
    def __init__(self, *args, **kwargs):
        pass

    on_init_end = on_train_begin = on_train_end = on_epoch_begin = on_epoch_end = _event
    on_step_begin = on_substep_end = on_step_end = on_evaluate = on_predict = on_save = _event
    on_log = on_prediction_step = on_optimizer_step = on_pre_optimizer_step = _event


class EarlyStoppingCallback(TrainerCallback):
    pass


class DefaultFlowCallback(TrainerCallback):
    pass


class ProgressCallback(TrainerCallback):
    pass


class PrinterCallback(TrainerCallback):
    pass


class ExportableState:
    pass
