"""The models that handles name, as layers."""

import _tilewise as _t
from keras import layers
from keras._layer import Layer
from tensorflow import _dtypes, _tensor as _x

WORDS = 16  # words of a text that is not known


def texts_of(x):
    """How many texts there are, as the first size of what is computed of them."""
    sizes = getattr(x, "_sizes", None)
    if sizes is None:
        sizes = list(_t.shape(_x.handle(x)))
    if not sizes and isinstance(x, (list, tuple)):
        sizes = [len(x)]
    return list(sizes[:1]) or [1]


def data(sizes, code):
    return _x.wrap(_t.input(list(sizes), code, "texts", 0))


class Picture(Layer):
    """A network of keras.applications, which has no layer that scales by statistics."""

    def __init__(self, spec, **kwargs):
        Layer.__init__(self, **kwargs)
        self.spec = spec
        self.net = None

    def build(self, input_shape=None):
        from keras import applications
        make = getattr(applications, self.spec.function)
        shape = tuple(input_shape)[1:]
        if len(shape) != 3 or None in shape or shape[-1] != 3:
            shape = (self.spec.side, self.spec.side, 3)
        options = dict(self.spec.options, input_shape=shape, weights=None)
        if self.spec.classes is None:
            self.net = make(include_top=False, pooling="avg", **options)
        else:
            self.net = make(include_top=True, classes=self.spec.classes,
                            classifier_activation=None, **options)
        self.net.trainable = self._trainable

    def call(self, inputs):
        return self.net(inputs)

    def _collect(self, found, seen, trained):
        if self.net is not None:
            for layer in self.net._flatten_layers():
                if type(layer).__name__ == "Normalization":
                    for v, _ in layer._all():
                        seen.add(id(v))
        Layer._collect(self, found, seen, trained)


class Words(Layer):
    """A table of words, of which a text has the sum."""

    def __init__(self, spec, **kwargs):
        Layer.__init__(self, **kwargs)
        self.spec = spec

    def build(self, input_shape=None):
        self.table = self.add_weight(shape=(self.spec.rows, self.spec.width), name="embeddings")

    def call(self, inputs):
        _t.note("texts are taken to have " + str(WORDS) + " words")
        ids = data(texts_of(inputs) + [WORDS], "s32")
        found = _t.op("tw.take", [self.table._read(), ids._h], {"axis": 0, "batch_dims": 0})
        return _x.wrap(_t.op("tw.reduce", [found], {"kind": "sum", "dims": [1]}))


class Sentences(Layer):
    """An encoder of sentences: the number of its parameters is known, its ops are not."""

    def __init__(self, spec, **kwargs):
        Layer.__init__(self, **kwargs)
        self.spec = spec

    def build(self, input_shape=None):
        self.held = self.add_weight(shape=(self.spec.size,), name="encoder")

    def call(self, inputs):
        _t.note("the ops of the sentence encoder are not known; only its parameters are counted")
        return data(texts_of(inputs) + [self.spec.width], "f32")


class Encoder(Layer):
    """BERT: embeddings, blocks, and the pooled first token."""

    def __init__(self, spec, **kwargs):
        Layer.__init__(self, **kwargs)
        self.spec = spec

    def build(self, input_shape=None):
        s = self.spec
        self.words = layers.Embedding(s.vocabulary, s.width, name="word_embeddings")
        self.kinds = layers.Embedding(2, s.width, name="type_embeddings")
        self.places = self.add_weight(shape=(512, s.width), name="position_embedding")
        self.norm = layers.LayerNormalization(epsilon=1e-12, name="embeddings_norm")
        self.drop = layers.Dropout(0.1)
        self.blocks = [Block(s.width, s.heads, name="layer_" + str(i)) for i in range(s.layers)]
        self.pooler = layers.Dense(s.width, activation="tanh", name="pooler_transform")
        self.count = self.add_weight(shape=(), name="global_step", trainable=False)

    def call(self, inputs):
        listed = isinstance(inputs, (list, tuple))
        ids, mask, kinds = _three(inputs)
        n = _t.shape(_x.handle(ids))[1]
        x = self.words(ids) + self.kinds(kinds) + self.places[:n]
        x = self.drop(self.norm(x))
        outputs = []
        for block in self.blocks:
            x = block(x)
            outputs.append(x)
        pooled = self.pooler(x[:, 0])
        if listed:
            return pooled, x
        return {"pooled_output": pooled, "sequence_output": x, "default": pooled,
                "encoder_outputs": outputs}


def _three(inputs):
    if not isinstance(inputs, dict):
        return list(inputs)
    names = (("input_word_ids", "input_ids"), ("input_mask",), ("input_type_ids", "segment_ids"))
    found = []
    for every in names:
        found.append([inputs[n] for n in every if n in inputs][0])
    return found


class Block(Layer):
    def __init__(self, width, heads, **kwargs):
        Layer.__init__(self, **kwargs)
        self.attention = layers.MultiHeadAttention(heads, width // heads, dropout=0.1)
        self.first = layers.LayerNormalization(epsilon=1e-12)
        self.up = layers.Dense(4 * width, activation="gelu")
        self.down = layers.Dense(width)
        self.drop = layers.Dropout(0.1)
        self.second = layers.LayerNormalization(epsilon=1e-12)

    def call(self, x):
        x = self.first(x + self.drop(self.attention(x, x)))
        return self.second(x + self.drop(self.down(self.up(x))))


class Pieces(Layer):
    """The ids of texts, as BERT takes them."""

    def __init__(self, spec=None, length=128, **kwargs):
        Layer.__init__(self, **kwargs)
        self.length = length

    def call(self, inputs, seq_length=None):
        first = inputs[0] if isinstance(inputs, (list, tuple)) else inputs
        n = texts_of(first)
        length = self.length if seq_length is None else seq_length
        return {name: data(n + [length], "s32")
                for name in ("input_word_ids", "input_mask", "input_type_ids")}


KINDS = {"image": Picture, "text": Words, "sentence": Sentences, "bert": Encoder,
         "preprocess": Pieces}
