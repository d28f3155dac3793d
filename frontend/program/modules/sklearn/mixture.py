from ._base import module_of

__getattr__ = module_of("sklearn.mixture")
