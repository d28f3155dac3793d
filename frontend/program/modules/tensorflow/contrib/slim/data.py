"""slim.data."""

from tensorflow.contrib.slim import dataset, dataset_data_provider, tfexample_decoder
