from .._layers import InstanceNorm1d, InstanceNorm2d, InstanceNorm3d, _InstanceNorm
