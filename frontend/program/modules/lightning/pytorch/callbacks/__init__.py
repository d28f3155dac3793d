"""Callbacks: made and asked, but of those of the program's own."""

from ..._accept import Accepting, module


class Callback:
    def __getattr__(self, name):
        if name[:3] == "on_" or name in ("setup", "teardown", "state_dict", "load_state_dict"):
            return lambda *args, **kwargs: None
        raise AttributeError(name)


class ModelCheckpoint(Accepting, Callback):
    best_model_path = last_model_path = ""
    best_model_score = None


def _kind(name):
    return type(name, (Accepting, Callback), {})


(EarlyStopping, LearningRateMonitor, TQDMProgressBar, RichProgressBar, ModelSummary,
 RichModelSummary, GradientAccumulationScheduler, StochasticWeightAveraging, DeviceStatsMonitor,
 Timer, LambdaCallback, BasePredictionWriter, BackboneFinetuning, BaseFinetuning, BatchSizeFinder,
 LearningRateFinder, ProgressBar, ProgressBarBase, GPUStatsMonitor, Checkpoint) = [
     _kind(n) for n in (
         "EarlyStopping", "LearningRateMonitor", "TQDMProgressBar", "RichProgressBar",
         "ModelSummary", "RichModelSummary", "GradientAccumulationScheduler",
         "StochasticWeightAveraging", "DeviceStatsMonitor", "Timer", "LambdaCallback",
         "BasePredictionWriter", "BackboneFinetuning", "BaseFinetuning", "BatchSizeFinder",
         "LearningRateFinder", "ProgressBar", "ProgressBarBase", "GPUStatsMonitor", "Checkpoint")]

__getattr__ = module("lightning.pytorch.callbacks")
