"""Names of what embeddings are compared by."""

from enum import Enum


class SimilarityFunction(str, Enum):
    COSINE = "cosine"
    DOT_PRODUCT = "dot"
    DOT = "dot"
    EUCLIDEAN = "euclidean"
    MANHATTAN = "manhattan"

    @staticmethod
    def possible_values():
        return ["cosine", "dot", "euclidean", "manhattan"]
