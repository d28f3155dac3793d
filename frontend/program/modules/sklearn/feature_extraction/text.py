import numpy
from .._base import Estimator, module_of, rows_of, unknown


class CountVectorizer(Estimator):
    """Texts as rows; how many columns is known when the words are limited."""

    def transform(self, X, *args, **options):
        n, words = rows_of(X), self._settings.get("max_features")
        if n is None or words is None:
            return unknown("the words")
        return numpy.ndarray([n, words], "float64")


TfidfVectorizer = HashingVectorizer = CountVectorizer
__getattr__ = module_of("sklearn.feature_extraction.text")
