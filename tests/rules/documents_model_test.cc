// Sentences about what a model computes and how its values lie in memory, from the documents that
// the catalogue of rules covers: each is a test that the rules say it about a model that does the
// opposite, and do not about one that follows it.

#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "frontend/load.h"
#include "rules/rule.h"
#include "session/session.h"
#include "tests/program/fixture.h"
#include "tests/support/temporary_folder.h"

namespace tilewise {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

struct Told {
  std::string rule;
  bool trains = true;
  int64_t global_batch = 512;
};

SessionOptions OptionsOf(const Told& told) {
  SessionOptions options;
  options.training = told.trains;
  options.global_batch = told.global_batch;
  return options;
}

// On eight cores of v3 that a notebook drives.
std::vector<Diagnostic> Findings(const Told& told, const Workload& workload) {
  const Target target = *MakeTarget("v3", 8, "colab");
  const auto session = MakeSession(workload, target, OptionsOf(told));
  EXPECT_TRUE(session.ok()) << session.status();
  RuleSelection selection;
  selection.select = {told.rule};
  return RunRules((*session)->facts(), selection);
}

// What the rule says of a file.
std::vector<Diagnostic> Of(const Told& told, const std::string& name, const std::string& text) {
  const TemporaryFolder folder;
  const auto workload = LoadFiles({folder.Write(name, text)}, {});
  EXPECT_TRUE(workload.ok()) << workload.status();
  return workload.ok() ? Findings(told, *workload) : std::vector<Diagnostic>();
}

// Each op is in a line of its own.
std::vector<Diagnostic> OfGraph(const Told& told, const std::string& ops) {
  const TemporaryFolder folder;
  const std::string text = "graph \"sentence\" {\n" + ops + "}\n";
  const auto workload = LoadFixture(ReadFixture(folder.Write("sentence.graph", text)));
  EXPECT_TRUE(workload.ok()) << workload.status();
  return workload.ok() ? Findings(told, *workload) : std::vector<Diagnostic>();
}

// A network on images of 32 x 32 with 128 features; its layers make `x` of `x`.
std::vector<Diagnostic> OfLayers(const Told& told, const std::string& layers) {
  return Of(told, "train.py", R"(
import tensorflow as tf
layers = tf.keras.layers
image = x = tf.keras.Input((32, 32, 128))
)" + layers + R"(
x = layers.GlobalAveragePooling2D()(x)
model = tf.keras.Model(image, layers.Dense(10)(x))
model.compile("sgd", "mse", steps_per_execution=100)
)");
}

// A layer that makes this of its inputs.
std::string Own(const std::string& result) {
  return "class Made(layers.Layer):\n"
         "    def call(self, inputs):\n"
         "        mean, variance = tf.nn.moments(inputs, axes=[0, 1, 2])\n"
         "        return " +
         result + "\nx = Made()(layers.Conv2D(128, 3, padding='same')(x))\n";
}

TEST(DocumentS0, WhichDimIsPaddedTo128DiffersWithTheBatchOfAConvolution) {
  const std::string narrow = R"(
  x = f32[N,64,64,16] parameter()
  k = f32[3,3,16,16] variable()
  c = f32[N,64,64,16] convolution(x, k), window={size=3x3 pad=1_1x1_1}
  r = f32[N,64,64,16] tanh(c)
  l = f32[3,3,16,32] variable()
  d = f32[N,64,64,32] convolution(r, l), window={size=3x3 pad=1_1x1_1}
  output result d
)";
  EXPECT_THAT(OfGraph({.rule = "AL004", .global_batch = 256}, narrow), Not(IsEmpty()));
  EXPECT_THAT(OfGraph({.rule = "AL004", .global_batch = 1024}, narrow), IsEmpty());
}

TEST(DocumentS0, AVectorThatIsBroadcastBecomesAMatrix) {
  const std::string gate = R"(
  x = f32[N,128] parameter()
  w = f32[128,128] variable()
  g = f32[N,128] dot(x, w), lhs_contract={1}, rhs_contract={0}
  b = f32[N,256,128] broadcast(g), dims={0,2}
)";
  const Told told = {.rule = "OP005", .trains = false};
  EXPECT_THAT(OfGraph(told, gate + "  output result b\n"), Not(IsEmpty()));
  EXPECT_THAT(OfGraph(told, gate + "  s = f32[N,256] reduce(b), dims={2}\n"
                                   "  output result s\n"),
              IsEmpty());
}

TEST(DocumentS0, AddingTheVectorsFirstAvoidsABroadcast) {
  const std::string begin = R"(
  x = f32[N,56,56,256] parameter()
  v = f32[256] variable()
  w = f32[256] variable()
)";
  const Told told = {.rule = "OP006", .trains = false, .global_batch = 512};
  EXPECT_THAT(OfGraph(told, begin + R"(
  s = f32[N,56,56,256] sine(x)
  r = f32[N,56,56,256] sine(s)
  t = f32[N,56,56,256] tanh(r)
  vb = f32[N,56,56,256] broadcast(v), dims={3}
  wb = f32[N,56,56,256] broadcast(w), dims={3}
  a = f32[N,56,56,256] add(t, vb)
  b = f32[N,56,56,256] add(a, wb)
  output result b
)"),
              Not(IsEmpty()));
  EXPECT_THAT(OfGraph(told, begin + R"(
  s = f32[256] add(v, w)
  sb = f32[N,56,56,256] broadcast(s), dims={3}
  b = f32[N,56,56,256] add(x, sb)
  output result b
)"),
              IsEmpty());
}

TEST(DocumentS0, SlicesAlongThePaddedDimAreToBeAvoided) {
  const auto slice = [](const std::string& from, const std::string& to) {
    return Of({.rule = "OP004"}, "slice.hlo",
              R"(HloModule jit_gates, is_scheduled=true

ENTRY %main (x: f32[8192,1024]) -> f32[8192,256] {
  %x = f32[8192,1024]{1,0:T(8,128)} parameter(0)
  %s = f32[8192,256]{1,0:T(8,128)} slice(%x), slice={[0:8192], [)" +
                  from + ":" + to + R"(]}
  ROOT %e = f32[8192,256]{1,0:T(8,128)} tanh(%s)
}
)");
  };
  EXPECT_THAT(slice("300", "556"), Not(IsEmpty()));
  EXPECT_THAT(slice("256", "512"), IsEmpty());
}

TEST(DocumentS0, AveragesArePooledFasterThanMaxima) {
  const std::string conv = "x = layers.Conv2D(128, 3)(x)\n";
  EXPECT_THAT(
      OfLayers({.rule = "OP001", .global_batch = 4096}, conv + "x = layers.MaxPooling2D(2)(x)"),
      Not(IsEmpty()));
  EXPECT_THAT(
      OfLayers({.rule = "OP001", .global_batch = 4096}, conv + "x = layers.AveragePooling2D(2)(x)"),
      IsEmpty());
}

TEST(DocumentS0, ATransposeIsNotAlwaysFree) {
  EXPECT_THAT(OfGraph({.rule = "LY004"}, R"(
  x = f32[N,256,256] parameter()
  w = f32[256,256] variable()
  h = f32[N,256,256] dot(x, w), lhs_contract={2}, rhs_contract={0}
  t = f32[N,256,256] transpose(h), dims={0,2,1}
  s = f32[N,256,256] add(t, h)
  v = f32[256,256] variable()
  y = f32[N,256,256] dot(s, v), lhs_contract={2}, rhs_contract={0}
  output result y
)"),
              Not(IsEmpty()));
  // A matmul takes its weights in either order.
  EXPECT_THAT(OfGraph({.rule = "LY004"}, R"(
  x = f32[N,256] parameter()
  w = f32[512,256] variable()
  t = f32[256,512] transpose(w), dims={1,0}
  y = f32[N,512] dot(x, t), lhs_contract={1}, rhs_contract={0}
  output result y
)"),
              IsEmpty());
}

TEST(DocumentS0, AReshapeIsNotAlwaysFree) {
  const Told told = {.rule = "LY005", .global_batch = 1024};
  EXPECT_THAT(OfGraph(told, R"(
  x = f32[N,256,72] parameter()
  w = f32[72,72] variable()
  h = f32[N,256,72] dot(x, w), lhs_contract={2}, rhs_contract={0}
  e = f32[N,256,72] tanh(h)
  flat = f32[N,18432] reshape(e)
  v = f32[18432,128] variable()
  y = f32[N,128] dot(flat, v), lhs_contract={1}, rhs_contract={0}
  output result y
)"),
              Not(IsEmpty()));
  EXPECT_THAT(OfGraph(told, R"(
  x = f32[N,1024] parameter()
  r = f32[N,1,1024] reshape(x)
  e = f32[N,1,1024] exponential(r)
  output result e
)"),
              IsEmpty());
}

TEST(DocumentS0, UniformNumbersAreCheaperThanNormalOnesAndCategories) {
  const Told told = {.rule = "OP007", .global_batch = 1024};
  EXPECT_THAT(OfLayers(told, Own("inputs + tf.random.normal(tf.shape(inputs))")), Not(IsEmpty()));
  EXPECT_THAT(
      OfLayers(told, Own("tf.where(tf.random.uniform(tf.shape(inputs)) < 0.9, inputs, 0.)")),
      IsEmpty());
  const auto drawn = [&](const std::string& call) {
    return Of(told, "layer.py",
              "import tensorflow as tf\n"
              "class Block(tf.keras.layers.Layer):\n"
              "    def call(self, inputs):\n"
              "        return " +
                  call + "\n");
  };
  EXPECT_THAT(drawn("tf.random.categorical(inputs, 1)"), Not(IsEmpty()));
  EXPECT_THAT(drawn("tf.random.uniform(tf.shape(inputs))"), IsEmpty());
}

TEST(DocumentS0, BatchNormalizationIsToBeFused) {
  const Told told = {.rule = "OP003", .global_batch = 1024};
  EXPECT_THAT(OfLayers(told, Own("(inputs - mean) * tf.math.rsqrt(variance + 1e-3)")),
              Not(IsEmpty()));
  EXPECT_THAT(OfLayers(told, "x = layers.BatchNormalization()(layers.Conv2D(128, 3)(x))"),
              IsEmpty());
}

TEST(DocumentS0, DepthwiseConvolutionsAreNotOptimised) {
  const Told told = {.rule = "OP002", .global_batch = 1024};
  EXPECT_THAT(OfLayers(told, "x = layers.DepthwiseConv2D(3, padding='same')(x)"), Not(IsEmpty()));
  EXPECT_THAT(OfLayers(told, "x = layers.Conv2D(128, 3, padding='same')(x)"), IsEmpty());
}

TEST(DocumentS4, LocalResponseNormalizationDominates) {
  const Told told = {.rule = "OP010", .global_batch = 1024};
  const auto found = OfLayers(told, Own("tf.nn.local_response_normalization(inputs)"));
  ASSERT_THAT(found, Not(IsEmpty()));
  EXPECT_THAT(OfLayers(told, "x = layers.BatchNormalization()(layers.Conv2D(128, 3)(x))"),
              IsEmpty());
}

// A node of a GraphDef on a device.
std::string Node(const std::string& name, const std::string& op, const std::string& device,
                 const std::string& rest) {
  return "node { name: \"" + name + "\" op: \"" + op + "\" device: \"" + device + "\" " + rest +
         " }\n";
}

std::string Towers(const std::string& of_variable) {
  const std::string type = "attr { key: \"dtype\" value { type: DT_FLOAT } }";
  const auto shape = [](const std::string& dims) {
    return " attr { key: \"shape\" value { shape { " + dims + " } } }";
  };
  const std::string of_tower = "/device:GPU:1";
  return Node("x", "Placeholder", of_tower, type + shape("dim { size: 256 } dim { size: 1024 }")) +
         Node("w", "VariableV2", of_variable,
              type + shape("dim { size: 1024 } dim { size: 1024 }")) +
         Node("w/read", "Identity", of_tower,
              "input: \"w\" attr { key: \"T\" value { type: DT_FLOAT } }") +
         Node("dense", "MatMul", of_tower,
              "input: \"x\" input: \"w/read\" attr { key: \"T\" value { type: DT_FLOAT } }");
}

TEST(DocumentS4, VariablesOnAnotherDeviceCrossTheLinkForNothing) {
  const Told told = {.rule = "DI007", .trains = false, .global_batch = 256};
  const auto found = Of(told, "towers.pbtxt", Towers("/device:GPU:0"));
  ASSERT_EQ(found.size(), 1u);
  EXPECT_THAT(found[0].message, HasSubstr("w of 4.00 MiB is on GPU:0 and"));
  EXPECT_THAT(Of(told, "towers.pbtxt", Towers("/device:GPU:1")), IsEmpty());
}

TEST(DocumentS4, IndependentNetworksOnOneDeviceRunOneAfterTheOther) {
  const std::string networks = R"(
  x = bf16[N,2048] parameter()
  w = bf16[2048,2048] variable()
  v = bf16[2048,2048] variable()
  a = bf16[N,2048] dot(x, w), lhs_contract={1}, rhs_contract={0}
  b = bf16[N,2048] dot(x, v), lhs_contract={1}, rhs_contract={0}
)";
  const Told told = {.rule = "DI008", .trains = false};
  EXPECT_THAT(OfGraph(told, networks + "  output result a\n  output result b\n"), Not(IsEmpty()));
  EXPECT_THAT(OfGraph(told, networks + "  s = bf16[N,2048] add(a, b)\n  output result s\n"),
              IsEmpty());
}

}  // namespace
}  // namespace tilewise
