from lightning.pytorch.callbacks import (
    Accepting, Callback, EarlyStopping, LearningRateMonitor, ModelCheckpoint)
from lightning.pytorch.callbacks import __getattr__
