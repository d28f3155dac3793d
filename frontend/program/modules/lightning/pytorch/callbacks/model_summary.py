from lightning.pytorch.callbacks import (
    Callback, EarlyStopping, LearningRateMonitor, ModelCheckpoint)
from lightning.pytorch.callbacks import __getattr__
