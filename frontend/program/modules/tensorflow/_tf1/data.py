"""tf.data of TensorFlow 1: data sets with iterators."""

import importlib

import tensorflow.data as _data


def __getattr__(name):
    return getattr(_data, name)


def make_one_shot_iterator(dataset):
    return dataset.make_one_shot_iterator()


def make_initializable_iterator(dataset, shared_name=None):
    return dataset.make_initializable_iterator()


def get_output_shapes(dataset):
    return importlib.import_module("tensorflow.data").get_legacy_output_shapes(dataset)


def get_output_types(dataset):
    return importlib.import_module("tensorflow.data").get_legacy_output_types(dataset)
