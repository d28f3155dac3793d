// What findings cost, against figures worked out by hand.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "frontend/load.h"
#include "graph/graph_builder.h"
#include "rules/rule.h"
#include "session/compile_time.h"
#include "session/session.h"
#include "tests/program/fixture.h"
#include "tests/support/temporary_folder.h"

namespace tilewise {
namespace {

using ::testing::HasSubstr;

struct Linted {
  Workload workload;
  Target target;
  Seconds step;  // simulated, device
  std::vector<Diagnostic> findings;
};

Linted Lint(const Fixture& fixture, const std::string& rule) {
  Linted result;
  auto workload = LoadFixture(fixture);
  EXPECT_TRUE(workload.ok()) << workload.status();
  auto target = TargetOf(fixture);
  EXPECT_TRUE(target.ok()) << target.status();
  if (!workload.ok() || !target.ok()) return result;
  result.workload = *std::move(workload);
  result.target = *target;
  const auto session = MakeSession(result.workload, result.target, fixture.options);
  EXPECT_TRUE(session.ok()) << session.status();
  if (!session.ok()) return result;
  RuleSelection selection;
  selection.select = {rule};
  result.step = (*session)->facts().StepTime();
  result.findings = RunRules((*session)->facts(), selection);
  return result;
}

Linted LintFixture(const std::string& name, const std::string& rule) {
  return Lint(ReadFixture(TILEWISE_SOURCE_DIR "/tests/rules/fixtures/" + name), rule);
}

Linted LintText(const std::string& text, const std::string& rule) {
  const TemporaryFolder folder;
  Fixture fixture;
  fixture.path = folder.Write("cost_test.py", text);
  return Lint(fixture, rule);
}

// Of f32[128,32,32,128], the activations of the fixtures on one core.
constexpr Bytes kActivations = {int64_t{128} * 32 * 32 * 128 * 4};

TEST(Cost, OfWrittenBatchNormIsOneMoreSweepOfTheActivations) {
  for (const char* name : {"OP003/bad_in_model.py", "OP003/bad_written_out.graph"}) {
    const Linted linted = LintFixture(name, "OP003");
    ASSERT_EQ(linted.findings.size(), 1u) << name;
    const Cost& cost = linted.findings[0].cost;
    const Seconds sweep = kActivations / linted.target.chip.hbm_bandwidth;
    ASSERT_TRUE(cost.time_per_step) << name;
    EXPECT_DOUBLE_EQ(cost.time_per_step->value, sweep.value) << name;
    EXPECT_DOUBLE_EQ(*cost.share_of_step, *cost.time_per_step / linted.step);
    EXPECT_FALSE(cost.of_wall_step);
  }
}

TEST(Cost, OfAWrittenBroadcastIsItsBytesAndTheirTraffic) {
  const Linted linted = LintFixture("OP005/bad_result.graph", "OP005");
  ASSERT_EQ(linted.findings.size(), 1u);
  const Cost& cost = linted.findings[0].cost;
  EXPECT_EQ(cost.bytes, Bytes{int64_t{512} / 8 * 256 * 128 * 4});
  EXPECT_DOUBLE_EQ(cost.time_per_step->value,
                   (*cost.bytes / linted.target.chip.hbm_bandwidth).value);
}

TEST(Cost, OfNoiseIsAtLeastTheTimeToWriteIt) {
  const Linted linted = LintFixture("OP007/bad_noise_in_model.py", "OP007");
  ASSERT_EQ(linted.findings.size(), 1u);
  const Cost& cost = linted.findings[0].cost;
  EXPECT_GE(*cost.time_per_step, kActivations / linted.target.chip.hbm_bandwidth);
}

TEST(Cost, OfACallSaysWhyItIsNotKnown) {
  const Linted alone = LintFixture("OP005/bad_tile.py", "OP005");
  ASSERT_EQ(alone.findings.size(), 1u);
  EXPECT_FALSE(alone.findings[0].cost.known());
  EXPECT_THAT(alone.findings[0].cost.unknown, HasSubstr("no model was read"));

  // The model does not run the function.
  const Linted inner = LintText(R"(import tensorflow as tf

def normalise(inputs):
    return tf.nn.batch_normalization(inputs, 0.0, 1.0, None, None, 1e-3)

image = tf.keras.Input((64,))
model = tf.keras.Model(image, tf.keras.layers.Dense(10)(image))
model.compile(optimizer="sgd", loss="sparse_categorical_crossentropy")
)",
                                "OP003");
  ASSERT_EQ(inner.findings.size(), 1u);
  EXPECT_FALSE(inner.findings[0].cost.known());
  EXPECT_THAT(inner.findings[0].cost.unknown, HasSubstr("the shape of the tensor it normalises"));
}

std::string TrainOn(const std::string& stages) {
  return R"(import tensorflow as tf
(x, y), _ = tf.keras.datasets.cifar10.load_data()
ds = tf.data.Dataset.from_tensor_slices((x, y)))" +
         stages + R"(.prefetch(2)
model = tf.keras.Sequential([
    tf.keras.layers.Input(shape=(32, 32, 3)),
    tf.keras.layers.Conv2D(128, 3),
    tf.keras.layers.Flatten(),
    tf.keras.layers.Dense(10),
])
model.compile(optimizer="sgd", loss="sparse_categorical_crossentropy")
model.fit(ds, epochs=2)
)";
}

TEST(Cost, OfAPartialBatchIsACompilationPerRunAndAWastePerStep) {
  const Linted linted = LintText(TrainOn(".batch(4096)"), "DY002");
  ASSERT_EQ(linted.findings.size(), 1u);
  const Cost& cost = linted.findings[0].cost;
  ASSERT_TRUE(cost.once_per_run);
  EXPECT_GT(cost.once_per_run->value, 0);
  ASSERT_TRUE(cost.time_per_step);
  EXPECT_TRUE(cost.of_wall_step);
  // 848 examples of 4,096 pay the fixed time of a step in full, but not more.
  EXPECT_GT(*cost.share_of_step, 0);
  EXPECT_LT(*cost.share_of_step, 1.0 / 13);
  EXPECT_THAT(linted.findings[0].message, HasSubstr("a last batch of 848"));
}

TEST(Cost, OfAnUnknownRestIsTheCompilationAlone) {
  const Linted linted = LintText(TrainOn(".filter(lambda a, b: b[0] < 5).batch(4096)"), "DY002");
  ASSERT_EQ(linted.findings.size(), 1u);
  EXPECT_TRUE(linted.findings[0].cost.once_per_run);
  EXPECT_FALSE(linted.findings[0].cost.time_per_step);
}

TEST(Cost, OfALoadersRestFollowsFromTheItemsOfItsData) {
  const auto findings = [](const std::string& batch) {
    return LintText(R"(
import torch
import torch_xla.core.xla_model as xm
import torchvision
data = torchvision.datasets.CIFAR10(root="data", train=True)
loader = torch.utils.data.DataLoader(data, batch_size=)" +
                        batch + R"(, shuffle=True)
device = xm.xla_device()
model = torch.nn.Sequential(torch.nn.Flatten(), torch.nn.Linear(3072, 10)).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for images, labels in loader:
    optimizer.zero_grad()
    loss = torch.nn.functional.cross_entropy(model(images.to(device)), labels.to(device))
    loss.backward()
    xm.optimizer_step(optimizer, barrier=True)
)",
                    "DY002")
        .findings.size();
  };
  EXPECT_EQ(findings("250"), 0u);
  EXPECT_EQ(findings("128"), 1u);
}

TEST(Cost, OfBlurredEpochsIsNoTime) {
  const Linted linted = LintText(TrainOn(".repeat().shuffle(1000).batch(4096)"), "IP010");
  ASSERT_EQ(linted.findings.size(), 1u);
  EXPECT_EQ(linted.findings[0].cost.time_per_step, Seconds{});
}

TEST(CompileTime, GrowsWithTheOpsBetweenThePublishedRates) {
  const CompileTime time = CompileTimeOf(136'000);
  EXPECT_DOUBLE_EQ(time.least.value, 210);
  EXPECT_GT(time.most, time.least);
  EXPECT_DOUBLE_EQ(CompileTimeOf(68'000).least.value, 105);
  EXPECT_DOUBLE_EQ(CompileTimeOf(15'425).most.value, 410);
}

TEST(CompileTime, IsThatOfOneTripOfALoopOverLayers) {
  GraphBuilder b("layers");
  const Shape shape = Shape::Of(DType::kF32, {8, 8});
  OpId x = b.Parameter(shape, "x");
  for (int32_t i = 1; i <= 4; ++i) {
    b.SetLoop({i, 1, 1, i});
    const OpId weight = b.Variable(shape, "w", true);
    x = b.Binary(OpKind::kMultiply, x, weight);
  }
  b.SetLoop({});
  b.AddOutput(b.Unary(OpKind::kTanh, x), Output::Role::kResult);
  const auto graph = b.Build();
  ASSERT_TRUE(graph.ok()) << graph.status();
  EXPECT_EQ(CompiledOps(*graph), 1 + 2 + 1);
}

}  // namespace
}  // namespace tilewise
