// TensorFlow and Keras functions on the tensors of a functional script.

#include <algorithm>
#include <string>

#include <gtest/gtest.h>

#include "frontend/python/read_python.h"

namespace tilewise {
namespace {

struct Case {
  const char* call;   // on x: [N,4,6] and y: [N,4,6]
  const char* shape;  // of the result
};

void PrintTo(const Case& c, std::ostream* out) { *out << c.call; }

bool HasOpaque(const Graph& graph) {
  return std::ranges::any_of(graph.ops(), [](const Op& op) { return op.kind == OpKind::kOpaque; });
}

Workload Read(const std::string& call) {
  absl::StatusOr<Workload> read = ReadPython({"t.py",
                                              R"(
import tensorflow as tf
from tensorflow.keras import backend as K
from keras import ops
x = tf.keras.Input((4, 6))
y = tf.keras.Input((4, 6))
model = tf.keras.Model([x, y], )" + call + ")\n"},
                                             {});
  EXPECT_TRUE(read.ok()) << read.status();
  return read.ok() ? std::move(*read) : Workload{};
}

class PythonFunction : public testing::TestWithParam<Case> {};

TEST_P(PythonFunction, IsReadWithItsShape) {
  const Workload w = Read(GetParam().call);
  ASSERT_TRUE(w.graph.has_value());
  const Graph& graph = *w.graph;
  EXPECT_EQ(FormatShape(graph.op(graph.outputs().at(0).value).shape), GetParam().shape);
  EXPECT_FALSE(HasOpaque(graph));
  for (const Diagnostic& note : w.notes) ADD_FAILURE() << note.message;
}

INSTANTIATE_TEST_SUITE_P(Reductions, PythonFunction,
                         testing::Values(Case{"tf.reduce_mean(x, axis=1)", "f32[N,6]"},
                                         Case{"tf.reduce_sum(x, 1)", "f32[N,6]"},
                                         Case{"tf.reduce_max(x, axis=[1, 2])", "f32[N]"},
                                         Case{"tf.reduce_min(x, -1, keepdims=True)", "f32[N,4,1]"},
                                         Case{"tf.math.reduce_mean(x, axis=-1)", "f32[N,4]"},
                                         Case{"K.mean(x, axis=1)", "f32[N,6]"},
                                         Case{"K.sum(x, 2)", "f32[N,4]"},
                                         Case{"ops.max(x, axis=1)", "f32[N,6]"}));

INSTANTIATE_TEST_SUITE_P(
    Elementwise, PythonFunction,
    testing::Values(Case{"tf.add(x, y)", "f32[N,4,6]"}, Case{"tf.multiply(x, 2.0)", "f32[N,4,6]"},
                    Case{"tf.math.divide(x, y)", "f32[N,4,6]"}, Case{"x ** 2", "f32[N,4,6]"},
                    Case{"tf.exp(x)", "f32[N,4,6]"}, Case{"tf.sqrt(x)", "f32[N,4,6]"},
                    Case{"tf.abs(x)", "f32[N,4,6]"}, Case{"K.square(x)", "f32[N,4,6]"},
                    Case{"tf.math.squared_difference(x, y)", "f32[N,4,6]"},
                    Case{"tf.clip_by_value(x, 0.0, 6.0)", "f32[N,4,6]"},
                    Case{"tf.cast(x, tf.bfloat16)", "bf16[N,4,6]"},
                    Case{"ops.tanh(x)", "f32[N,4,6]"}));

INSTANTIATE_TEST_SUITE_P(Arrangement, PythonFunction,
                         testing::Values(Case{"tf.reshape(x, [-1, 24])", "f32[N,24]"},
                                         Case{"ops.reshape(x, (-1, 24))", "f32[N,24]"},
                                         Case{"tf.transpose(x, [0, 2, 1])", "f32[N,6,4]"},
                                         Case{"K.permute_dimensions(x, (0, 2, 1))", "f32[N,6,4]"},
                                         Case{"tf.expand_dims(x, 1)", "f32[N,1,4,6]"},
                                         Case{"tf.squeeze(tf.expand_dims(x, 1), 1)", "f32[N,4,6]"},
                                         Case{"tf.squeeze(tf.expand_dims(x, -1))", "f32[N,4,6]"},
                                         Case{"tf.concat([x, y], -1)", "f32[N,4,12]"},
                                         Case{"K.concatenate([x, y], axis=1)", "f32[N,8,6]"},
                                         Case{"tf.stack([x, y], axis=1)", "f32[N,2,4,6]"},
                                         Case{"ops.stack([x, y], 3)", "f32[N,4,6,2]"}));

INSTANTIATE_TEST_SUITE_P(Products, PythonFunction,
                         testing::Values(Case{"tf.matmul(x, y, transpose_b=True)", "f32[N,4,4]"},
                                         Case{"tf.linalg.matmul(x, y, transpose_a=True)",
                                              "f32[N,6,6]"},
                                         Case{"x @ tf.transpose(y, [0, 2, 1])", "f32[N,4,4]"}));

TEST(PythonFunctions, AProductWithSomethingUnreadIsNotKnown) {
  const Workload w = Read("tf.matmul(x, make_weights())");
  EXPECT_FALSE(w.graph.has_value());
  EXPECT_FALSE(w.notes.empty());
}

}  // namespace
}  // namespace tilewise
