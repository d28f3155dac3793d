"""tf.contrib.layers."""

from tensorflow.contrib import _python as python
from tensorflow._tf1.slim_layers import (
    avg_pool2d, avg_pool3d, batch_norm, conv1d, conv2d, conv2d_transpose, conv3d,
    conv3d_transpose, convolution, convolution2d, convolution2d_in_plane, convolution2d_transpose,
    convolution3d, dropout, flatten, fully_connected, group_norm, instance_norm, layer_norm, linear,
    max_pool2d, max_pool3d, relu, separable_conv2d, separable_convolution2d)
from tensorflow._tf1.slim_more import (
    apply_regularization, bias_add, embed_sequence, l1_l2_regularizer, l1_regularizer,
    l2_regularizer, maxout, one_hot_encoding, optimize_loss, repeat, softmax, stack,
    sum_regularizer, summarize_activation, summarize_activations, summarize_collection,
    summarize_tensor, summarize_tensors, unit_norm, variance_scaling_initializer,
    xavier_initializer, xavier_initializer_conv2d)

from tensorflow.feature_column import (
    bucketized_column, crossed_column, embedding_column, input_from_feature_columns,
    one_hot_column, real_valued_column, sparse_column_with_hash_bucket,
    sparse_column_with_integerized_feature, sparse_column_with_keys)

OPTIMIZER_CLS_NAMES = {}
