"""segmentation_models_pytorch.utils: trainings by the epoch."""

from segmentation_models_pytorch.utils import losses, metrics, train
