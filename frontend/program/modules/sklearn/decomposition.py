import numpy
from ._base import Estimator, module_of, rows_of, unknown


class PCA(Estimator):
    def __init__(self, n_components=None, **settings):
        Estimator.__init__(self, **settings)
        self.n_components = n_components

    def transform(self, X, *args, **options):
        n = rows_of(X)
        if n is None or not isinstance(self.n_components, int):
            return unknown("the components")
        return numpy.ndarray([n, self.n_components], "float64")


TruncatedSVD = NMF = FastICA = PCA
__getattr__ = module_of("sklearn.decomposition")
