from lightning.pytorch.demos.boring_classes import *
