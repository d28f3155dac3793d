"""haiku._src.moving_averages."""

from haiku._layers import ExponentialMovingAverage, EMAParamsTree
