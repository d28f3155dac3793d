// Figures of the documents that the catalogue of rules covers, about chips, batches and models.
// Sentences about scripts and input have files of their own, times of steps are in
// tests/sim/loop_test.cc. These figures have no test, as what they were measured on is not in the
// documents: 4.1 % of the matrix units (which sample), up to 3 times and 50 % (which model); of
// the 410 s that a network took to compile, the message of a rule speaks.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "rules/rule.h"
#include "sim/lowering/layout.h"
#include "tests/program/analysed.h"

namespace tilewise {
namespace {

using testing::HasSubstr;

std::vector<Diagnostic> Findings(const Facts& facts, const std::string& rule) {
  RuleSelection selection;
  selection.select = {rule};
  selection.preview = true;
  return RunRules(facts, selection);
}

// A program on CIFAR-10 with those layers in front of its last one.
std::string Cifar(const std::string& layers, int batch) {
  return R"(
import tensorflow as tf
(x, y), _ = tf.keras.datasets.cifar10.load_data()
model = tf.keras.Sequential([
    tf.keras.Input((32, 32, 3)),
)" + layers +
         R"(
    tf.keras.layers.Dense(10),
])
model.compile("sgd", "mse")
model.fit(x.astype("float32"), y, batch_size=)" +
         std::to_string(batch) + ", epochs=3)\n";
}

TEST(DocumentS0, TheMatrixUnitHas128By128Cells) {
  for (const char* chip : {"v2", "v3"}) {
    EXPECT_EQ(FindChip(chip)->mxu_side, 128);
  }
}

TEST(DocumentS0, OneDimIsPaddedToAMultipleOf8AndAnotherTo128) {
  const Chip chip = *FindChip("v2");
  const Shape shape = Shape::Of(DType::kF32, {100, 100});
  EXPECT_EQ(PaddedBytes(shape, DefaultLayout(shape, chip), chip).value, 104 * 128 * 4);
}

// Padding is not written in the program: it is XLA's doing, which the page of the rule says.
TEST(DocumentS0, PaddingIsWhatXlaDoes) {
  EXPECT_THAT(std::string(FindRule("AL001")->info.doc), HasSubstr("XLA"));
}

// The tools of the time gave no graph of the steps for Keras, and no recommendations.
TEST(DocumentS0, AProgramOfKerasHasItsStepsAndAdviceWithoutAProfile) {
  const auto analysed = AnalyseProgram(
      Cifar("tf.keras.layers.Conv2D(48, 3), tf.keras.layers.Flatten(),", 256), {}, "v2");
  EXPECT_GT(analysed->facts().StepTime(), Seconds{});
  EXPECT_FALSE(analysed->facts().model->program.kernels.empty());
  EXPECT_FALSE(Findings(analysed->facts(), "HL").empty());
}

TEST(DocumentS2, ABoardHasFourChipsOfTwoCores) {
  const Target board = *MakeTarget("v2-8", 0, "");
  EXPECT_EQ(board.cores, 8);
  EXPECT_EQ(board.chip.cores_per_chip, 2);
  EXPECT_EQ(board.hosts(), 1);
}

TEST(DocumentS2, ABatchOf4096Is512PerCore) {
  const auto analysed = AnalyseProgram(Cifar("tf.keras.layers.Flatten(),", 4096), {}, "v2");
  EXPECT_EQ(analysed->facts().batch_per_core, 512);
}

TEST(DocumentS2, ANetworkOf32And64And128FiltersIsBelowTheUnitsWidth) {
  const auto analysed = AnalyseProgram(Cifar(R"(
    tf.keras.layers.Conv2D(32, 3, activation="relu"),
    tf.keras.layers.MaxPooling2D(),
    tf.keras.layers.Conv2D(64, 3, activation="relu"),
    tf.keras.layers.MaxPooling2D(),
    tf.keras.layers.Conv2D(128, 3, activation="relu"),
    tf.keras.layers.Flatten(),
    tf.keras.layers.Dense(64, activation="relu"),)",
                                             4096),
                                       {}, "v2");
  EXPECT_FALSE(Findings(analysed->facts(), "AL005").empty());
  EXPECT_FALSE(Findings(analysed->facts(), "OP001").empty());
}

TEST(DocumentS3, ACoreHas8GigabytesAndABoard64) {
  const Target board = *MakeTarget("v2", 8, "");
  EXPECT_EQ(board.chip.hbm.value, int64_t{8} << 30);
  EXPECT_EQ(board.chip.hbm.value * board.cores, int64_t{64} << 30);
}

TEST(DocumentS3, AChipOf45TeraflopsHasTwoCores) {
  const Chip chip = *FindChip("v2");
  EXPECT_NEAR(chip.peak_flops() * static_cast<double>(chip.cores_per_chip), 45e12, 1.5e12);
}

TEST(DocumentS3, ABatchOf1024Is128PerCore) {
  const auto analysed = AnalyseProgram(Cifar("tf.keras.layers.Flatten(),", 1024), {}, "v2");
  EXPECT_EQ(analysed->facts().batch_per_core, 128);
  EXPECT_TRUE(Findings(analysed->facts(), "AL002").empty());
}

// A batch of 50,000 has 6,250 on a core, which is no multiple of 8, as 112 is none of 128.
TEST(DocumentS3, ATensorOf6250By32By32By112IsPaddedInBatchAndFeatures) {
  const auto analysed =
      AnalyseProgram(Cifar("tf.keras.layers.Conv2D(112, 3, padding=\"same\"),\n"
                           "    tf.keras.layers.Conv2D(112, 3, padding=\"same\"),\n"
                           "    tf.keras.layers.GlobalAveragePooling2D(),",
                           50000),
                     {}, "v2");
  EXPECT_EQ(analysed->facts().batch_per_core, 6250);
  EXPECT_FALSE(Findings(analysed->facts(), "AL002").empty());
}

TEST(DocumentS3, ANetworkOf1019LayersIsSaidToCompileFor410Seconds) {
  std::string layers;
  for (int i = 0; i < 1019; ++i) {
    layers += "    tf.keras.layers.Conv2D(32, 3, padding=\"same\", activation=\"relu\"),\n";
  }
  layers += "    tf.keras.layers.GlobalAveragePooling2D(),";
  const auto analysed = AnalyseProgram(Cifar(layers, 1024), {}, "v2");
  const std::vector<Diagnostic> found = Findings(analysed->facts(), "CO001");
  ASSERT_FALSE(found.empty());
  EXPECT_THAT(found[0].message, HasSubstr("1,019 layers compiled for 410 s and hung"));
}

// Parameters mislead: three dense layers hold most of VGG-16's.
TEST(DocumentS3, MostWeightsOfVggAreInItsDenseLayersAndFewOfItsFlops) {
  const auto vgg = AnalyseProgram(R"(
import tensorflow as tf
model = tf.keras.applications.VGG16(weights=None)
model.compile("sgd", "categorical_crossentropy")
model.fit(tf.zeros((1024, 224, 224, 3)), tf.zeros((1024, 1000)), batch_size=64)
)",
                                  {}, "v3");
  int64_t all = 0, dense = 0;
  for (const Op& op : vgg->workload.graph->ops()) {
    if (op.kind != OpKind::kVariable) continue;
    all += op.shape.elements();
    if (op.shape.rank() == 2) dense += op.shape.elements();
  }
  EXPECT_GT(dense, 0.85 * static_cast<double>(all));
}

TEST(DocumentS3, LargerBatchesMakeAnExampleCheaper) {
  const std::string layers = "    tf.keras.layers.Flatten(),\n    tf.keras.layers.Dense(1024),";
  const auto small = AnalyseProgram(Cifar(layers, 256), {}, "v2");
  EXPECT_FALSE(Findings(small->facts(), "ME006").empty());
  const auto large = AnalyseProgram(Cifar(layers, 16384), {}, "v2");
  EXPECT_LT(large->facts().StepTime() / 16384, small->facts().StepTime() / 256);
}

}  // namespace
}  // namespace tilewise
