from .._layers import Flatten, Unflatten
