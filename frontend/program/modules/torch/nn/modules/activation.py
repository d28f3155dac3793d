from .._layers import *
