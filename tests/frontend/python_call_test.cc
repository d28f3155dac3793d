// What is kept of calls in a Python source: arguments and surroundings.

#include <gtest/gtest.h>

#include "frontend/python/read_python.h"

namespace tilewise {
namespace {

// The first call named tensorflow.<name>.
SourceCall CallOf(const std::string& name, const std::string& text) {
  const absl::StatusOr<Workload> read =
      ReadPython({"t.py", "import tensorflow as tf\n" + text}, {});
  EXPECT_TRUE(read.ok()) << read.status();
  if (!read.ok()) return {};
  for (const SourceCall& call : read->facts.calls) {
    if (call.name == "tensorflow." + name) return call;
  }
  ADD_FAILURE() << "no call of " << name;
  return {};
}

TEST(PythonCall, KeepsIntegerLiteralsAndKeywords) {
  const SourceCall call = CallOf("tile", "y = tf.tile(x, [1, 32, -1], name=(4, 5), z=7)\n");
  ASSERT_EQ(call.arguments.size(), 4u);
  EXPECT_TRUE(call.arguments[0].integers.empty());
  EXPECT_TRUE(call.arguments[1].integers.empty()) << "-1 is no literal";
  EXPECT_EQ(call.arguments[2].keyword, "name");
  EXPECT_EQ(call.arguments[2].integers, (std::vector<int64_t>{4, 5}));
  EXPECT_EQ(call.arguments[3].integers, (std::vector<int64_t>{7}));
}

TEST(PythonCall, KnowsItsClassAndTheInputOfItsFunction) {
  const std::string layer = R"(
class Block(tf.keras.layers.Layer):
    def call(self, inputs: tf.Tensor, training=False):
        hidden = self.dense(inputs)
)";
  const auto of_parameter = [&](const std::string& line) {
    const SourceCall call = CallOf("tile", layer + "        " + line + "\n");
    EXPECT_EQ(call.class_name, "Block");
    EXPECT_EQ(call.function, "call");
    return !call.arguments.empty() && call.arguments[0].of_parameter;
  };
  EXPECT_TRUE(of_parameter("return tf.tile(inputs, [1])"));
  EXPECT_TRUE(of_parameter("return tf.tile(inputs.shape, [1])"));
  EXPECT_TRUE(of_parameter("return tf.tile(tf.shape(inputs), [1])"));
  EXPECT_FALSE(of_parameter("return tf.tile(hidden, [1])"));
  EXPECT_FALSE(of_parameter("return tf.tile(training, [1])"));
  EXPECT_FALSE(of_parameter("return (lambda inputs: tf.tile(inputs, [1]))"));
}

TEST(PythonCall, OutsideClassesHasNone) {
  const SourceCall call = CallOf("tile", "def f(x):\n    return tf.tile(x, [2])\n");
  EXPECT_EQ(call.class_name, "");
  EXPECT_EQ(call.function, "f");
  EXPECT_TRUE(call.arguments.at(0).of_parameter);
  EXPECT_EQ(call.arguments.at(1).integers, std::vector<int64_t>{2});
}

}  // namespace
}  // namespace tilewise
