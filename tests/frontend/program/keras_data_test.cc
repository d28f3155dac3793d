// What `fit` is given in Keras: generators whose rows come of files that are not here, and losses
// that are not known.

#include <algorithm>

#include <gmock/gmock.h>

#include "tests/frontend/program/read_text.h"

namespace tilewise::program {
namespace {

// A program whose `fit` takes what `made` yields, with `self.batch_size` of 48.
Workload ReadGenerator(const std::string& made) {
  return ReadText(R"(
import absent
import numpy as np
from tensorflow import keras
class Rows:
    def __init__(self, batch_size):
        self.batch_size = batch_size
    def forever(self):
        rows = []
        while True:
            rows.append([0.5] * 8)
)" + made + R"(
model = keras.Sequential([keras.layers.Input((8,)), keras.layers.Dense(1)])
model.compile("adam", "mse")
model.fit(Rows(48).forever(), steps_per_epoch=10)
)");
}

TEST(KerasData, TheBatchOfAGeneratorIsThatOfTheObjectThatMakesIt) {
  const Workload workload =
      ReadGenerator("            yield absent.rows(rows), absent.labels(rows)\n");
  ASSERT_TRUE(workload.graph.has_value()) << NotesOfText(workload);
  EXPECT_EQ(workload.declared_global_batch(), 48);
}

TEST(KerasData, RowsThatAreCollectedUntilTheyAreEnoughAreABatch) {
  const Workload workload = ReadGenerator(R"(
            if absent.enough(rows):
                yield np.array(rows), np.zeros((len(rows), 1))
                rows = []
)");
  ASSERT_TRUE(workload.graph.has_value()) << NotesOfText(workload);
  EXPECT_EQ(workload.declared_global_batch(), 48);
  EXPECT_THAT(NotesOfText(workload), testing::HasSubstr("48 are taken"));
}

TEST(KerasData, WhatRegularisesWeightsIsNoStepWhereTheLossIsNotKnown) {
  const Workload workload = ReadText(R"(
import absent
import numpy as np
from tensorflow import keras
x = keras.Input((8,))
hidden = keras.layers.Dense(4, kernel_regularizer="l2")(x)
model = keras.Model(x, hidden)
model.compile("adam", lambda y, p: absent.loss(y, p))
model.fit(np.zeros((64, 8)), np.zeros((64, 4)))
)");
  ASSERT_TRUE(workload.graph.has_value());
  EXPECT_TRUE(std::ranges::any_of(workload.graph->ops(),
                                  [](const Op& op) { return op.kind == OpKind::kDot; }));
  EXPECT_THAT(NotesOfText(workload), testing::HasSubstr("the loss is not known"));
}

TEST(KerasData, TheFirstPositionsAreAsManyAsALengthThatIsNotKnown) {
  const Workload workload = ReadText(R"(
import numpy as np
import tensorflow as tf
from tensorflow import keras
class Positions(keras.layers.Layer):
    def build(self, shape):
        self.table = self.add_weight(name="table", shape=(512, 8))
    def call(self, x):
        return x + self.table[None, :tf.shape(x)[1]]
words = keras.Input((None,), dtype="int32")
x = Positions()(keras.layers.Embedding(100, 8)(words))
x = x * tf.cast(words > 0, "float32")[:, :, None]
model = keras.Model(words, keras.layers.Dense(1)(x[:, 0]))
model.compile("adam", "mse")
model.fit(np.zeros((64, 40), "int32"), np.zeros((64, 1)), batch_size=16)
)");
  ASSERT_TRUE(workload.graph.has_value()) << NotesOfText(workload);
  EXPECT_EQ(workload.model_size->trainable, 100 * 8 + 512 * 8 + 9);
}

TEST(KerasData, ALossThatNamesATensorOfItsModelHasItsBatch) {
  for (const char* kept : {"", "kl = divergence()\n"}) {
    const Workload workload = ReadText(std::string(R"(
import numpy as np
from keras import backend as K
from keras.layers import Dense, Input, Lambda
from keras.models import Model
x = Input(shape=(64,))
mean, spread = Dense(2)(x), Dense(2)(x)
def sample(parts):
    return parts[0] + K.exp(parts[1] / 2) * K.random_normal(shape=(K.shape(parts[0])[0], 2))
model = Model(x, Dense(64)(Lambda(sample)([mean, spread])))
def divergence():
    return -0.5 * K.sum(1 + spread - K.square(mean) - K.exp(spread), axis=-1)
kl = None
)") + kept + R"(
def loss(y_true, y_pred):
    return K.mean(K.sum(K.square(y_true - y_pred), -1) + (divergence() if kl is None else kl))
model.compile(optimizer='adam', loss=loss)
model.fit(np.zeros((1000, 64)), np.zeros((1000, 64)), batch_size=100)
)");
    ASSERT_TRUE(workload.graph.has_value()) << NotesOfText(workload);
    EXPECT_FALSE(workload.graph->is_static());
    const Graph graph = workload.graph->Bind(100);
    for (const Op& op : graph.ops()) {
      EXPECT_TRUE(op.kind != OpKind::kParameter || op.shape.dims[0].factor == 100) << op.name;
    }
  }
}

TEST(KerasData, AModelThatGivesWhatItIsGivenIsNone) {
  const Workload workload = ReadText(R"(
from tensorflow import keras
x = keras.layers.Input((8,))
model = keras.Model(x, x)
model.compile('adam', 'mse')
)");
  EXPECT_FALSE(workload.graph.has_value());
}

}  // namespace
}  // namespace tilewise::program
