"""horovod.tensorflow.keras."""

from horovod.tensorflow import *
from horovod.tensorflow import (
    Average, Compression, DistributedOptimizer, Sum, allgather, allreduce, broadcast,
    broadcast_global_variables, init, local_rank, local_size, rank, shutdown, size)
from keras.callbacks import Callback
from keras.models import load_model


class callbacks:
    class BroadcastGlobalVariablesCallback(Callback):
        pass

    class MetricAverageCallback(Callback):
        pass

    class LearningRateWarmupCallback(Callback):
        pass

    class LearningRateScheduleCallback(Callback):
        pass
