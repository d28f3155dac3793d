from .._layers import Dropout, Dropout2d, _DropoutNd
