from ._continuous import Uniform
