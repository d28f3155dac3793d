from lightning.pytorch.demos.mnist_datamodule import *
