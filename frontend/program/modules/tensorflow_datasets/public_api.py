"""The names of tensorflow_datasets, under the path that its own sources import."""


def __getattr__(name):
    import tensorflow_datasets
    return getattr(tensorflow_datasets, name)
