"""tf.contrib.legacy_seq2seq: decoders over a list of steps, and the losses of such lists."""

from tensorflow import _losses
from tensorflow._tf1 import rnn
from tensorflow._tf1.scopes import variable_scope


def rnn_decoder(decoder_inputs, initial_state, cell, loop_function=None, scope=None):
    """With a loop function it writes texts, as many steps of the same work."""
    with variable_scope(scope or "rnn_decoder"):
        return rnn.static_rnn(cell, list(decoder_inputs), initial_state)


def basic_rnn_seq2seq(encoder_inputs, decoder_inputs, cell, dtype=None, scope=None):
    with variable_scope(scope or "basic_rnn_seq2seq"):
        _, state = rnn.static_rnn(cell, list(encoder_inputs), dtype=dtype, scope="encoder")
        return rnn_decoder(decoder_inputs, state, cell)


def _rows_loss(logits, targets, softmax_loss_function):
    if softmax_loss_function is not None:
        return softmax_loss_function(labels=targets, logits=logits)
    return _losses.sparse_softmax_cross_entropy_with_logits(targets, logits)


def sequence_loss_by_example(logits, targets, weights, average_across_timesteps=True,
                             softmax_loss_function=None, name=None):
    total, size = 0.0, 1e-12
    for x, target, weight in zip(logits, targets, weights):
        total = _rows_loss(x, target, softmax_loss_function) * weight + total
        size = weight + size
    return total / size if average_across_timesteps else total


def sequence_loss(logits, targets, weights, average_across_timesteps=True,
                  average_across_batch=True, softmax_loss_function=None, name=None):
    import tensorflow as tf
    cost = tf.reduce_sum(sequence_loss_by_example(logits, targets, weights,
                                                  average_across_timesteps,
                                                  softmax_loss_function))
    return cost / tf.cast(tf.shape(targets[0])[0], cost.dtype) if average_across_batch else cost
