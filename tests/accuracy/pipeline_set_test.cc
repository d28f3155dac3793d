// Published pipelines: from the words of a row to a simulated figure.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "accuracy/pipeline_text.h"
#include "accuracy/validate.h"

namespace tilewise {
namespace {

constexpr char kHeader[] =
    "id,source,kind,framework,host,dataset,stages,parallelism,metric,value,unit,conditions,grade\n";

absl::StatusOr<Workload> NoWorkload(const std::string&, bool, int64_t) {
  return absl::InternalError("not asked for");
}

SetAccuracy Compare(const std::string& rows) {
  absl::StatusOr<SetAccuracy> set = Validate("pipelines.csv", kHeader + rows, {}, NoWorkload);
  EXPECT_TRUE(set.ok()) << set.status();
  return set.ok() ? *std::move(set) : SetAccuracy{};
}

double SimulatedOf(const std::string& row) {
  const SetAccuracy set = Compare(row);
  EXPECT_TRUE(set.comparisons.front().prediction) << set.comparisons.front().not_simulated;
  return set.comparisons.front().prediction ? set.comparisons.front().prediction->value : 0;
}

std::string Row(const std::string& stages, const std::string& parallelism,
                const std::string& unit = "items/s") {
  return "r,A paper,pipeline,tf.data,\"8-core Ryzen 7 2700X\",\"ImageNet 110 kB JPEG\",\"" +
         stages + "\"," + parallelism + ",throughput,300," + unit + ",,A\n";
}

TEST(SplitChain, KeepsArrowsInsideParentheses) {
  const std::vector<ChainStage> stages =
      SplitChain("read(file)>resize(400->224, bilinear)>batch(8)");
  ASSERT_EQ(stages.size(), 3U);
  EXPECT_EQ(stages[1].name, "resize");
  EXPECT_EQ(stages[1].arguments, "400->224, bilinear");
}

TEST(ReadPipelineSet, ThreadsShareTheWorkUpToTheCores) {
  const std::string chain = "read(tfrecord)>parse>decode_jpeg>resize(224)";
  const double one = SimulatedOf(Row(chain, "1 threads"));
  const double four = SimulatedOf(Row(chain, "4 threads"));
  const double many = SimulatedOf(Row(chain, "64 threads"));
  EXPECT_NEAR(four / one, 4, 0.1);
  EXPECT_LT(many / one, 8);
}

TEST(ReadPipelineSet, AStoresLimitBindsWhateverTheCoresCanDo) {
  const double slow =
      SimulatedOf(Row("read(tfrecord,11MB/s)>parse>decode_jpeg>resize(224)", "auto"));
  EXPECT_NEAR(slow, 100, 1);
}

TEST(ReadPipelineSet, SaysWhichStageHasNoKnownCost) {
  const SetAccuracy set = Compare(Row("read(tfrecord)>parse>wordpiece(30k)", "auto"));
  EXPECT_FALSE(set.comparisons.front().prediction);
  EXPECT_EQ(set.comparisons.front().not_simulated, "no cost of 'wordpiece' is known");
}

TEST(ReadPipelineSet, VariantsOfOneSourceAreComparedWithEachOther) {
  const std::string chain = "read(tfrecord)>parse>decode_jpeg>resize(224)";
  const SetAccuracy set = Compare(Row(chain, "1 threads") + Row(chain, "4 threads"));
  EXPECT_EQ(set.variants.pairs, 0U);  // both measured 300
  EXPECT_EQ(set.variants.ratios.n, 1U);
}

}  // namespace
}  // namespace tilewise
