"""The older name of lightning.pytorch."""

from lightning.pytorch import (
    Callback, LightningDataModule, LightningModule, Trainer, __version__, callbacks, cli, loggers,
    plugins, profilers, seed_everything, strategies, tuner, utilities)
