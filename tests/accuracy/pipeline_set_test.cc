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

std::string RowOf(const std::string& source, const std::string& host, const std::string& dataset,
                  const std::string& stages, const std::string& parallelism,
                  const std::string& conditions) {
  return "r,\"" + source + "\",pipeline,tf.data,\"" + host + "\",\"" + dataset + "\",\"" + stages +
         "\",\"" + parallelism + "\",throughput,300,items/s,\"" + conditions + "\",A\n";
}

TEST(ReadPipelineSet, LooseFilesOfASetAboveTheMemoryAreOthersInEachEpoch) {
  const auto rate = [](const std::string& set, const std::string& stages) {
    return SimulatedOf(RowOf("A paper", "8 vCPU VM, 80 GB DDR4; Ceph on HDD", "ImageNet, " + set,
                             stages + ">decode_jpeg>resize(224)", "8 threads",
                             "second epoch, in the page cache"));
  };
  EXPECT_GT(rate("60 GB", "list>read_file(jpg)"), 2 * rate("147 GB", "list>read_file(jpg)"));
  EXPECT_EQ(rate("60 GB", "read(tfrecord)>parse"), rate("147 GB", "read(tfrecord)>parse"));
}

TEST(ReadPipelineSet, AShortRunHasItsShareOfListingAllFiles) {
  const auto rate = [](const std::string& set) {
    return SimulatedOf(RowOf("A paper", "8 vCPU VM; Ceph on HDD", set,
                             "list>read_file(jpg)>decode_jpeg>resize(224)", "8 threads", "cold"));
  };
  const double whole = rate("ImageNet, 1281167 JPEG");
  const double some = rate("ImageNet, 1281167 JPEG; first 8000 items");
  EXPECT_NEAR(8000 / some - 8000 / whole, 1281167 * 43e-6, 0.1);
}

TEST(ReadPipelineSet, ReadersInOrderWaitForTheBlocksOfABucketOneAfterAnother) {
  const auto rate = [](const std::string& readers) {
    return SimulatedOf(RowOf("A paper", "GCP VM, 64 vCPU", "ImageNet TFRecord on GCS",
                             "read(tfrecord,gcs)>" + readers + ">parse>decode_jpeg>resize(224)",
                             "16 readers", ""));
  };
  const double ordered = rate("interleave(cycle=16,parallel=16)");
  EXPECT_NEAR(ordered, 98e6 / 115e3, 1);
  EXPECT_GT(rate("parallel_interleave(cycle=16,sloppy)"), 3 * ordered);
}

// PRESTO fig. 9: 23,438 tensors of 0.64 MB in 20.6 s, 1,465 of 10.24 MB in 14.7 s.
TEST(ReadPipelineSet, ReadersThatReadAheadWaitForTheRestOfTheirBlocks) {
  const auto bytes_per_second = [](const std::string& megabytes) {
    return std::stod(megabytes) *
           SimulatedOf(RowOf("A paper", "8 vCPU VM; Ceph on HDD",
                             "15 GB of f32 tensors of " + megabytes + " MB",
                             "read(tfrecord,8,cephfs)>parse_tensor>for(python)", "8 threads", ""));
  };
  EXPECT_NEAR(bytes_per_second("0.64"), 720, 10);
  EXPECT_NEAR(bytes_per_second("10.24"), 910, 10);
}

TEST(ReadPipelineSet, RowsThatNoConstantWasReadOffAreSummedUpOnTheirOwn) {
  const std::string chain = "read(tfrecord)>parse>decode_jpeg>resize(224)";
  const auto row = [&](const std::string& source) {
    return RowOf(source, "8-core Ryzen 7 2700X", "ImageNet 110 kB JPEG", chain, "1 threads", "");
  };
  const SetAccuracy set = Compare(row("python-pillow/pillow-perf") + row("A paper"));
  ASSERT_FALSE(set.held_out.empty());
  EXPECT_EQ(set.held_out.front().errors.n, 1U);
  EXPECT_TRUE(Compare(row("A paper")).held_out.empty());
}

TEST(ReadPipelineSet, VariantsOfOneSourceAreComparedWithEachOther) {
  const std::string chain = "read(tfrecord)>parse>decode_jpeg>resize(224)";
  const SetAccuracy set = Compare(Row(chain, "1 threads") + Row(chain, "4 threads"));
  EXPECT_EQ(set.variants.pairs, 0U);  // both measured 300
  EXPECT_EQ(set.variants.ratios.n, 1U);
}

}  // namespace
}  // namespace tilewise
