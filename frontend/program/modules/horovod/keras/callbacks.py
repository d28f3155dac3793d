"""horovod.keras.callbacks."""

from horovod.tensorflow.keras import callbacks as _all

BroadcastGlobalVariablesCallback = _all.BroadcastGlobalVariablesCallback
MetricAverageCallback = _all.MetricAverageCallback
LearningRateWarmupCallback = _all.LearningRateWarmupCallback
LearningRateScheduleCallback = _all.LearningRateScheduleCallback
