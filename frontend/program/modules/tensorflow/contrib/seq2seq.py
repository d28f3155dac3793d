"""tf.contrib.seq2seq: decoders that are given what they should write, attention, their loss."""

from collections import namedtuple
import _tilewise as _t
from tensorflow import _losses
from tensorflow._tensor import handle
from tensorflow._tf1 import leaf as L
from tensorflow._tf1 import rnn
from tensorflow._tf1.rnn_cell import RNNCell, Wrapper, _zeros
from tensorflow._tf1.scopes import get_variable, variable_scope

BasicDecoderOutput = namedtuple("BasicDecoderOutput", ["rnn_output", "sample_id"])


def sequence_loss(logits, targets, weights, average_across_timesteps=True,
                  average_across_batch=True, softmax_loss_function=None, name=None, **kw):
    import tensorflow as tf
    rows = tf.reshape(targets, [-1])
    flat = tf.reshape(logits, [-1, logits.shape[-1]])
    loss = _losses.sparse_softmax_cross_entropy_with_logits(rows, flat) \
        if softmax_loss_function is None else softmax_loss_function(labels=rows, logits=flat)
    shares = tf.reshape(weights, [-1])
    loss = loss * shares
    if average_across_timesteps and average_across_batch:
        return tf.reduce_sum(loss) / (tf.reduce_sum(shares) + 1e-12)
    loss = tf.reshape(loss, tf.shape(targets))
    if average_across_batch:
        return tf.reduce_mean(loss, 0)
    return tf.reduce_mean(loss, 1) if average_across_timesteps else loss


class TrainingHelper:
    """What should be written is what the decoder is given."""

    def __init__(self, inputs, sequence_length=None, time_major=False, name=None, **kw):
        self.inputs = inputs
        self.sequence_length = sequence_length
        self.time_major = time_major


class ScheduledEmbeddingTrainingHelper(TrainingHelper):
    def __init__(self, inputs, sequence_length=None, embedding=None, sampling_probability=None,
                 time_major=False, **kw):
        TrainingHelper.__init__(self, inputs, sequence_length, time_major)


class ScheduledOutputTrainingHelper(TrainingHelper):
    def __init__(self, inputs, sequence_length=None, sampling_probability=None, time_major=False,
                 **kw):
        TrainingHelper.__init__(self, inputs, sequence_length, time_major)


class GreedyEmbeddingHelper:
    def __init__(self, embedding, start_tokens, end_token, *args, **kw):
        self.embedding = embedding


SampleEmbeddingHelper = GreedyEmbeddingHelper


class BasicDecoder:
    def __init__(self, cell, helper, initial_state, output_layer=None):
        self.cell = cell
        self.helper = helper
        self.initial_state = initial_state
        self.output_layer = output_layer


class BeamSearchDecoder:
    def __init__(self, *args, **kw):
        self.helper = None


def dynamic_decode(decoder, output_time_major=False, impute_finished=False,
                   maximum_iterations=None, parallel_iterations=32, swap_memory=False, scope=None,
                   **kw):
    import tensorflow as tf
    given = decoder.helper
    if not isinstance(given, TrainingHelper):
        left = _t.unknown("what a decoder writes that is given nothing")
        return BasicDecoderOutput(left, left), left, left
    with variable_scope(scope or "decoder"):
        y, state = rnn.dynamic_rnn(decoder.cell, given.inputs, None, decoder.initial_state,
                                   time_major=given.time_major)
        if decoder.output_layer is not None:
            y = decoder.output_layer(y)
    if given.time_major != output_time_major:
        y = tf.transpose(y, [1, 0, 2])
    return BasicDecoderOutput(y, tf.argmax(y, -1)), state, given.sequence_length


def tile_batch(t, multiplier, name=None):
    from tensorflow import nest
    import tensorflow as tf
    return nest.map_structure(lambda x: tf.repeat(x, multiplier, axis=0), t)


# Attention.

def _dense(x, name, units):
    kernel = handle(get_variable(name + "/kernel", [L.dims(handle(x))[-1], units]))
    from tensorflow._tensor import wrap
    return wrap(L.dense(handle(x), kernel))


class _Attention:
    def __init__(self, num_units, memory, memory_sequence_length=None, **kw):
        self.memory = memory
        self._units = num_units
        self.keys = _dense(memory, "memory_layer", num_units)


class LuongAttention(_Attention):
    def scores(self, query):
        import tensorflow as tf
        return tf.matmul(self.keys, tf.expand_dims(query, -1))


class BahdanauAttention(_Attention):
    def scores(self, query):
        import tensorflow as tf
        seen = tf.tanh(self.keys + tf.expand_dims(_dense(query, "query_layer", self._units), 1))
        return tf.expand_dims(tf.reduce_sum(seen * get_variable("attention_v", [self._units]), -1),
                              -1)


LuongMonotonicAttention = LuongAttention
BahdanauMonotonicAttention = BahdanauAttention


class AttentionWrapperState(namedtuple("AttentionWrapperState", ["cell_state", "attention"])):
    alignment_history = _t.unknown("where a decoder looked")

    def clone(self, **changes):
        return self._replace(**changes)


class AttentionWrapper(Wrapper):
    """Each step reads of the memory what its cell asks for."""
    base_name = "attention_wrapper"

    def __init__(self, cell, attention_mechanism, attention_layer_size=None,
                 alignment_history=False, *args, **kw):
        Wrapper.__init__(self, cell)
        many = isinstance(attention_mechanism, (list, tuple))
        self._from = list(attention_mechanism) if many else [attention_mechanism]
        self._sizes = attention_layer_size if isinstance(attention_layer_size, (list, tuple)) \
            else [attention_layer_size] * len(self._from)

    @property
    def output_size(self):
        return sum([s or L.dims(handle(m.memory))[-1] for s, m in zip(self._sizes, self._from)])

    @property
    def state_size(self):
        return AttentionWrapperState(self._cell.state_size, self.output_size)

    def zero_state(self, batch_size, dtype):
        return AttentionWrapperState(self._cell.zero_state(batch_size, dtype),
                                     _zeros(self.output_size, batch_size, dtype))

    def __call__(self, inputs, state, scope=None, *args, **kw):
        return RNNCell.__call__(self, inputs, state, scope)

    def call(self, inputs, state):
        import tensorflow as tf
        y, new = self._cell(tf.concat([inputs, state.attention], -1), state.cell_state)
        found = []
        for i, (memory, size) in enumerate(zip(self._from, self._sizes)):
            shares = tf.nn.softmax(memory.scores(y), 1)
            context = tf.reduce_sum(shares * memory.memory, 1)
            if size:
                context = _dense(tf.concat([y, context], -1), "attention_layer_" + str(i), size)
            found.append(context)
        attention = found[0] if len(found) == 1 else tf.concat(found, -1)
        return attention, AttentionWrapperState(new, attention)
