from .spmd import *
