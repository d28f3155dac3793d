"""tfrs.tasks."""

import tensorflow as tf


class Task:
    pass


class Retrieval(tf.keras.layers.Layer):
    """Each query against all candidates of the batch."""

    def __init__(self, loss=None, metrics=None, batch_metrics=None, loss_metrics=None,
                 temperature=None, num_hard_negatives=None, remove_accidental_hits=False,
                 name=None, **kwargs):
        super().__init__(name=name)
        self._loss_given = loss
        self._temperature = temperature
        self._factorized_metrics = None
        self.factorized_metrics = None

    def call(self, query_embeddings, candidate_embeddings, sample_weight=None,
             candidate_sampling_probability=None, candidate_ids=None, compute_metrics=True,
             compute_batch_metrics=True):
        scores = tf.linalg.matmul(query_embeddings, candidate_embeddings, transpose_b=True)
        if self._temperature is not None:
            scores = scores / self._temperature
        labels = tf.eye(tf.shape(scores)[0], tf.shape(scores)[1])
        loss = self._loss_given
        if loss is None:
            loss = tf.keras.losses.CategoricalCrossentropy(from_logits=True, reduction="sum")
        return loss(labels, scores, sample_weight)


class Ranking(tf.keras.layers.Layer):
    def __init__(self, loss=None, metrics=None, prediction_metrics=None, label_metrics=None,
                 loss_metrics=None, name=None):
        super().__init__(name=name)
        self._loss_given = loss

    def call(self, labels, predictions, sample_weight=None, training=False,
             compute_metrics=True):
        loss = self._loss_given
        if loss is None:
            loss = tf.keras.losses.BinaryCrossentropy()
        return loss(labels, predictions, sample_weight)
