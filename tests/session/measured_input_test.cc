// What users measured of their input counts more than what the code tells.

#include "session/measured_input.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "hardware/target.h"
#include "sim/stage_cost.h"

namespace tilewise {
namespace {

using testing::HasSubstr;

Stage StageAt(StageKind kind, int line, const std::string& function = "") {
  Stage stage;
  stage.kind = kind;
  stage.function.name = function;
  stage.function.calls = {"library.tokenise"};
  stage.location = {.file = "src/train.py", .line = line};
  return stage;
}

std::vector<Pipeline> OnePipeline() {
  Pipeline pipeline;
  pipeline.stages = {StageAt(StageKind::kRecordFiles, 3),
                     StageAt(StageKind::kMap, 4, "app.augment"),
                     StageAt(StageKind::kMap, 5, "app.tokenise"), StageAt(StageKind::kBatch, 6)};
  pipeline.item_bytes = Bytes{1000};
  return {pipeline};
}

Host AHost() { return MakeTarget("v3", 8, "tpu-vm")->host; }

// Applied to one pipeline; the message of the error, if any.
std::string Applied(const std::vector<std::string>& words, std::vector<Pipeline>& pipelines,
                    Host& host) {
  const absl::StatusOr<MeasuredInput> input = ParseMeasuredInput(words);
  if (!input.ok()) return Message(input.status());
  return Message(ApplyMeasuredInput(*input, "cfg.yaml:2:3", pipelines, host));
}

TEST(MeasuredInput, AStageIsNamedByFunctionPlaceOrKind) {
  for (const char* name : {"tokenise", "train.py:5", "5", "src/train.py:5"}) {
    std::vector<Pipeline> pipelines = OnePipeline();
    Host host = AHost();
    EXPECT_EQ(Applied({std::string(name) + "=2ms"}, pipelines, host), "") << name;
    EXPECT_EQ(pipelines[0].stages[2].measured.per_example, Seconds{2e-3}) << name;
    EXPECT_FALSE(pipelines[0].stages[1].measured.per_example);
  }
}

TEST(MeasuredInput, TheTimeOfAnExampleReplacesWhatTheCodeTells) {
  std::vector<Pipeline> pipelines = OnePipeline();
  Host host = AHost();
  ASSERT_EQ(Applied({"tokenise=500/s"}, pipelines, host), "");
  const StageCost cost = CostStages(pipelines[0], 100, Bytes{1000}, host)[2];
  EXPECT_NEAR(cost.work.value, 0.2, 1e-9);
  EXPECT_TRUE(cost.unknown_ops.empty());
}

TEST(MeasuredInput, MeasuredBytesFlowOn) {
  std::vector<Pipeline> pipelines = OnePipeline();
  Host host = AHost();
  ASSERT_EQ(Applied({"tokenise=20kB", "source=5kB"}, pipelines, host), "");
  EXPECT_EQ(pipelines[0].item_bytes, Bytes{20000});
  EXPECT_EQ(pipelines[0].source_item_bytes, Bytes{5000});
}

TEST(MeasuredInput, TheStoreIsAsFastAsMeasured) {
  std::vector<Pipeline> pipelines;
  Host host = AHost();
  ASSERT_EQ(Applied({"source.stream=80MB/s", "source.file=30ms"}, pipelines, host), "");
  EXPECT_EQ(host.store.stream.value, 80e6);
  EXPECT_EQ(host.store.file.value, 30e-3);
}

TEST(MeasuredInput, AStageThatDoesNotExistIsAnErrorThatNamesThoseThatDo) {
  std::vector<Pipeline> pipelines = OnePipeline();
  Host host = AHost();
  const std::string error = Applied({"tokenize=2ms"}, pipelines, host);
  EXPECT_THAT(error, HasSubstr("cfg.yaml:2:3: found no stage 'tokenize'"));
  EXPECT_THAT(error, HasSubstr("augment (train.py:4), tokenise (train.py:5)"));
}

TEST(MeasuredInput, ANameOfSeveralStagesWantsAPlace) {
  std::vector<Pipeline> pipelines = OnePipeline();
  Host host = AHost();
  EXPECT_THAT(Applied({"map=2ms"}, pipelines, host), HasSubstr("found 2 stages 'map'"));
}

TEST(MeasuredInput, AColumnTellsStagesOfOneLineApart) {
  std::vector<Pipeline> pipelines = OnePipeline();
  for (Stage& stage : pipelines[0].stages) stage.location.line = 7;
  pipelines[0].stages[1].location.column = 12;
  pipelines[0].stages[2].location.column = 30;
  Host host = AHost();
  EXPECT_THAT(Applied({"train.py:7=2ms"}, pipelines, host), HasSubstr("tokenise (train.py:7:30)"));
  EXPECT_EQ(Applied({"train.py:7:30=2ms"}, pipelines, host), "");
  EXPECT_TRUE(pipelines[0].stages[2].measured.per_example);
  EXPECT_FALSE(pipelines[0].stages[1].measured.per_example);
}

TEST(MeasuredInput, OtherFormsAreErrors) {
  for (const char* word :
       {"augment", "=3ms", "augment=3", "augment=-3ms", "augment=0us", "augment=nan us",
        "augment=3 parsecs", "source.stream=3ms", "augment=1e300s", "augment=1e99GB"}) {
    EXPECT_FALSE(ParseMeasuredInput({word}).ok()) << word;
  }
}

}  // namespace
}  // namespace tilewise
