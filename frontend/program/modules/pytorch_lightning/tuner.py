from lightning.pytorch.tuner import __getattr__
