"""Columns of features that a published model embeds."""


class EmbeddedColumn:
    """A column whose values a model of TensorFlow Hub turns into vectors."""

    def __init__(self, key, module_spec, trainable=False):
        from tensorflow_hub._layers import KerasLayer
        self.key = self.name = key
        self.layer = KerasLayer(getattr(module_spec, "handle", module_spec), trainable=trainable)

    def dense(self, features):
        return self.layer(features[self.key])


def text_embedding_column(key, module_spec, trainable=False):
    return EmbeddedColumn(key, module_spec, trainable)


text_embedding_column_v2 = text_embedding_column


def image_embedding_column(key, module_spec, image_size=None):
    return EmbeddedColumn(key, module_spec)


def sparse_text_embedding_column(key, module_spec, combiner, default_value, trainable=False):
    return EmbeddedColumn(key, module_spec, trainable)
