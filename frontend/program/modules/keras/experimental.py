"""tf.keras.experimental."""

from keras.optimizers.schedules import (CosineDecay, CosineDecayRestarts, LinearCosineDecay,
                                        NoisyLinearCosineDecay)
from keras.layers import StackedRNNCells


def terminate_keras_multiprocessing_pools(*args, **kwargs):
    pass


class SidecarEvaluator:
    def __init__(self, *args, **kwargs):
        pass


export_saved_model = load_from_saved_model = terminate_keras_multiprocessing_pools
