from lightning.pytorch.accelerators import __getattr__
