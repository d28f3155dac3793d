from .._layers import *
from .._layers import _Loss, _WeightedLoss
