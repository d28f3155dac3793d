from ._continuous import MultivariateNormal
