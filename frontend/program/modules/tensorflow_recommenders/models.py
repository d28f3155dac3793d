"""tfrs.models: a model says its loss itself."""

import tensorflow as tf


class Model(tf.keras.Model):
    def compute_loss(self, inputs, training=False):
        raise NotImplementedError("compute_loss() of a tfrs.Model")

    def train_step(self, inputs):
        with tf.GradientTape() as tape:
            loss = self.compute_loss(inputs, training=True)
            total = loss + sum(self.losses)
        found = self.trainable_variables
        self.optimizer.apply_gradients(zip(tape.gradient(total, found), found))
        return {"loss": loss}

    def test_step(self, inputs):
        return {"loss": self.compute_loss(inputs, training=False)}
