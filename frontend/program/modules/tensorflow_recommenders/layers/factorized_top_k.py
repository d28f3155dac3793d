"""Retrieval of candidates, which is no part of a step."""

import tensorflow as tf


class TopK(tf.keras.Model):
    def __init__(self, query_model=None, k=10, *args, **kwargs):
        super().__init__(name=kwargs.get("name"))
        self._k = k

    def index(self, candidates, identifiers=None):
        return self

    index_from_dataset = index


class BruteForce(TopK):
    pass


class Streaming(TopK):
    pass


class ScaNN(TopK):
    pass
