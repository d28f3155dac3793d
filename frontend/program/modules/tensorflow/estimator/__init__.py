"""tf.estimator."""

from tensorflow._tf1.estimators import (
    Estimator, EstimatorSpec, EvalSpec, ModeKeys, RunConfig, TrainSpec, train_and_evaluate)


def __getattr__(name):
    import importlib
    if name in ("tpu", "inputs", "export", "experimental"):
        return importlib.import_module("tensorflow.estimator." + name)
    from tensorflow._tf1 import train
    if name in ("SessionRunHook", "LoggingTensorHook", "StopAtStepHook", "CheckpointSaverHook",
                "StepCounterHook", "SummarySaverHook", "ProfilerHook", "FinalOpsHook",
                "CheckpointSaverListener", "NanTensorHook", "GlobalStepWaiterHook",
                "SecondOrStepTimer", "SessionRunArgs", "SessionRunContext", "SessionRunValues",
                "FeedFnHook", "VocabInfo", "NanLossDuringTrainingError"):
        return getattr(train, name)
    if name in ("WarmStartSettings", "Exporter", "FinalExporter", "LatestExporter",
                "BestExporter", "Head"):
        from tensorflow._tf1.graph import Quiet
        return Quiet
    if name[:2] != "__":
        from tensorflow._tf1 import premade
        return getattr(premade, name)
    raise AttributeError(name)


EstimatorV2 = Estimator
