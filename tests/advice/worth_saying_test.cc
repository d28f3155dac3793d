// Which findings a default report keeps.

#include "advice/worth_saying.h"

#include <gtest/gtest.h>

#include "advice/one_batch.h"
#include "tests/program/analysed.h"

namespace tilewise {
namespace {

constexpr std::string_view kDense = R"(graph "dense" {
  x = f32[N,512] parameter()
  w = f32[512,512] variable()
  y = f32[N,512] dot(x, w), lhs_contract={1}, rhs_contract={0}
  output result y
})";

std::unique_ptr<Analysed> Dense(int64_t batch) {
  SessionOptions options;
  options.global_batch = batch;
  return AnalyseGraph(kDense, options);
}

Finding BatchFinding(const std::string& rule, int64_t batch_per_core, double saved) {
  Finding finding;
  finding.rule = rule;
  finding.message = rule;
  finding.change.batch_per_core = batch_per_core;
  finding.saving = Saving{.time_per_step = {saved}, .share_of_step = saved};
  return finding;
}

bool Never(const Finding&) { return false; }

TEST(KeepOneBatch, TheLargestSavingSpeaksForTheOthers) {
  const auto analysed = Dense(64);
  std::vector<Finding> findings = {BatchFinding("AL002", 16, 0.1), BatchFinding("ME006", 64, 0.5)};
  KeepOneBatch(analysed->facts(), findings);
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].rule, "ME006");
  EXPECT_EQ(findings[0].related, std::vector<std::string>{"AL002"});
}

TEST(KeepOneBatch, NoBatchThatDoesNotFitIsAdvised) {
  const auto analysed = Dense(64);
  std::vector<Finding> findings = {BatchFinding("ME006", 64, 0.5)};
  findings[0].saving->hbm = {-(int64_t{1} << 40)};
  KeepOneBatch(analysed->facts(), findings);
  EXPECT_TRUE(findings.empty());
}

TEST(KeepOneBatch, NoBatchThatTakesAWholeEpochIsAdvised) {
  SessionOptions options;
  options.global_batch = 64;
  options.examples_per_epoch = 1000;
  const auto analysed = AnalyseGraph(kDense, options);
  std::vector<Finding> findings = {BatchFinding("AL004", 128, 0.9), BatchFinding("ME006", 16, 0.5)};
  KeepOneBatch(analysed->facts(), findings);
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].rule, "ME006");
}

TEST(LeaveOutSmall, WhatSavesLittleOfTheStepIsSilentUnlessAskedFor) {
  const auto analysed = Dense(64);
  std::vector<Finding> findings = {BatchFinding("ME006", 64, 0.001)};
  LeaveOutSmall(
      analysed->facts(), [](const Finding&) { return true; }, findings);
  EXPECT_EQ(findings.size(), 1U);
  LeaveOutSmall(analysed->facts(), Never, findings);
  EXPECT_TRUE(findings.empty());
}

TEST(LeaveOutSmall, WhatSavesMoreOnceFedStaysAndSaysSo) {
  const auto analysed = Dense(64);
  std::vector<Finding> findings = {BatchFinding("PR001", 64, 0)};
  findings[0].saving_once_fed = Saving{.time_per_step = {0.3}, .share_of_step = 0.3};
  LeaveOutSmall(analysed->facts(), Never, findings);
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].fix.text, "; once the input keeps up this saves 300 ms a step (30 %)");
}

TEST(LeaveOutSmall, ThatTheStepWaitsIsSilentWhereAnotherFindingSaysWhy) {
  const auto analysed = Dense(64);
  Finding why = BatchFinding("IP003", 64, 0.4);
  Finding waits;
  waits.rule = "IP022";
  waits.cost.time_per_step = Seconds{0.5};
  waits.cost.share_of_step = 0.5;
  std::vector<Finding> findings = {waits, why};
  LeaveOutSmall(analysed->facts(), Never, findings);
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].rule, "IP003");
}

TEST(LeaveOutSmall, ABatchOfAConfigurationForAnotherSliceIsSilent) {
  const auto analysed = Dense(64);
  std::vector<Finding> findings = {BatchFinding("ME006", 64, 0.5), BatchFinding("ME006", 64, 0.5),
                                   BatchFinding("ME006", 64, 0.5)};
  findings[0].location.file = "configs/v3-128_256x256.yaml";
  findings[1].location.file = "configs/v3-8_256x256.yaml";
  findings[2].location.file = "train_v3-128.py";
  LeaveOutSmall(analysed->facts(), Never, findings);
  ASSERT_EQ(findings.size(), 2U);
  EXPECT_EQ(findings[0].location.file, "configs/v3-8_256x256.yaml");
}

TEST(LeaveOutSmall, MemoryOfAConfigurationForAPodIsNotThatOfThisSlice) {
  const auto analysed = Dense(64);
  Finding finding;
  finding.rule = "ME001";
  finding.severity = Severity::kError;
  finding.cost.time_per_step = Seconds{0.5};
  finding.location.file = "configs/v3-256.yaml";
  std::vector<Finding> findings = {finding};
  findings.push_back(finding);
  findings.back().location.file = "configs/v3-8.yaml";
  LeaveOutSmall(analysed->facts(), Never, findings);
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].location.file, "configs/v3-8.yaml");
}

TEST(LeaveOutSmall, ALittleOnceFedIsSilent) {
  const auto analysed = Dense(64);
  std::vector<Finding> findings = {BatchFinding("IP003", 64, 0)};
  findings[0].fix.applicability = Applicability::kSafe;
  findings[0].saving_once_fed = Saving{.time_per_step = {0.026}, .share_of_step = 0.026};
  LeaveOutSmall(analysed->facts(), Never, findings);
  EXPECT_TRUE(findings.empty());
}

// The share of the step counts, however short the run is.
TEST(LeaveOutSmall, AShortRunIsJudgedByItsStep) {
  SessionOptions options;
  options.global_batch = 64;
  options.steps_per_epoch = 10;
  const auto analysed = AnalyseGraph(kDense, options);
  analysed->workload.facts.calls.push_back({.name = "model.fit"});
  analysed->workload.host_loop.epochs = {Count::Kind::kValue, 1};
  std::vector<Finding> findings = {BatchFinding("ME006", 64, 0.9), BatchFinding("ME006", 64, 0.01)};
  LeaveOutSmall(analysed->facts(), Never, findings);
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].saving->share_of_step, 0.9);
}

TEST(LeaveOutSmall, AStraightLineThroughPointsIsSilent) {
  SessionOptions options;
  options.global_batch = 64;
  const auto analysed = AnalyseGraph(R"(graph "line" {
  x = f32[N,2] parameter()
  w = f32[2,1] variable()
  y = f32[N,1] dot(x, w), lhs_contract={1}, rhs_contract={0}
  output result y
})",
                                     options);
  analysed->workload.facts.calls.push_back({.name = "model.fit"});
  std::vector<Finding> findings = {BatchFinding("ME006", 64, 0.9)};
  LeaveOutSmall(analysed->facts(), Never, findings);
  EXPECT_TRUE(findings.empty());
}

// The range of compile times is 17 times wide: 250 ms are about a second by its middle.
TEST(LeaveOutSmall, ASecondCompilationOfASecondIsSaid) {
  const auto analysed = Dense(64);
  Finding finding;
  finding.rule = "DY002";
  finding.fix.applicability = Applicability::kUnsafe;
  std::vector<Finding> findings = {finding, finding};
  findings[0].cost.once_per_run = Seconds{0.1};
  findings[1].cost.once_per_run = Seconds{0.3};
  LeaveOutSmall(analysed->facts(), Never, findings);
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].cost.once_per_run, Seconds{0.3});
}

TEST(LeaveOutSmall, WhatOnlyTheFirstEpochWaitsForHasToBeASecond) {
  const auto analysed = Dense(64);
  std::vector<Finding> findings = {BatchFinding("IP003", 64, 0.3), BatchFinding("IP003", 64, 0.3)};
  findings[0].cost.once_per_run = Seconds{0.4};
  findings[1].cost.once_per_run = Seconds{4};
  LeaveOutSmall(analysed->facts(), Never, findings);
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].cost.once_per_run, Seconds{4});
}

TEST(LeaveOutSmall, AProgramThatNamesNoTpuIsJudgedAlike) {
  const auto analysed = Dense(64);
  for (const char* call : {"tensorflow.distribute.TPUStrategy", "model.fit"}) {
    analysed->workload.facts.calls = {{.name = call}};
    std::vector<Finding> findings = {BatchFinding("ME006", 64, 0.9)};
    LeaveOutSmall(analysed->facts(), Never, findings);
    EXPECT_EQ(findings.size(), 1U) << call;
  }
}

TEST(LeaveOutSmall, AModelThatIsCompiledAndAskedIsNotTrained) {
  const auto analysed = Dense(64);
  Workload& workload = analysed->workload;
  workload.host_loop.framework = Framework::kKeras;
  workload.host_loop.compile = {"ask.py", 3, 0, 0, ""};
  workload.facts.calls = {{.name = "model.compile"}, {.name = "model.predict"}};
  std::vector<Finding> findings = {BatchFinding("HL001", 64, 0.4)};
  LeaveOutSmall(analysed->facts(), Never, findings);
  EXPECT_TRUE(findings.empty());
  workload.facts.calls.push_back({.name = "model.fit"});
  findings = {BatchFinding("HL001", 64, 0.4)};
  LeaveOutSmall(analysed->facts(), Never, findings);
  EXPECT_EQ(findings.size(), 1U);
}

TEST(LeaveOutSmall, AModelThatIsOnlySavedIsNotTrained) {
  const auto analysed = Dense(64);
  std::vector<Finding> findings = {BatchFinding("PR001", 64, 0.4)};
  findings[0].change = {};
  analysed->workload.facts.calls.push_back({.name = "tensorflow.saved_model.save"});
  analysed->workload.training.reset();
  LeaveOutSmall(analysed->facts(), Never, findings);
  EXPECT_TRUE(findings.empty());
}

TEST(LeaveOutSmall, AModelThatIsOnlyAskedIsNotTrained) {
  const auto analysed = Dense(64);
  std::vector<Finding> findings = {BatchFinding("PR001", 64, 0.4)};
  findings[0].change = {};
  analysed->workload.facts.calls.push_back({.name = "model.predict"});
  analysed->workload.step = StepKind::kInference;
  analysed->workload.training.reset();
  LeaveOutSmall(analysed->facts(), Never, findings);
  EXPECT_TRUE(findings.empty());
}

TEST(LeaveOutSmall, AFunctionOfAModuleTrainsNothing) {
  const auto analysed = Dense(64);
  Finding finding = BatchFinding("PR001", 64, 0.4);
  finding.change = {};
  SourceFacts& facts = analysed->workload.facts;
  facts.calls.push_back({.name = "tensorflow_hub.load"});
  facts.calls.push_back({.name = "PIL.ImageOps.fit"});
  facts.imports.push_back({.name = "PIL.ImageOps"});
  analysed->workload.training.reset();
  std::vector<Finding> findings = {finding};
  LeaveOutSmall(analysed->facts(), Never, findings);
  EXPECT_TRUE(findings.empty());
  facts.calls.push_back({.name = "model.fit"});
  findings = {finding};
  LeaveOutSmall(analysed->facts(), Never, findings);
  EXPECT_EQ(findings.size(), 1U);
}

TEST(LeaveOutSmall, ThePrecisionOfAModelThatIsOnlyDefinedIsSilent) {
  const auto analysed = Dense(64);
  std::vector<Finding> findings = {BatchFinding("PR001", 64, 0.4), BatchFinding("OP002", 64, 0.4)};
  for (Finding& finding : findings) finding.change = {};
  analysed->workload.facts.calls.push_back({.name = "tensorflow.keras.Model"});
  analysed->workload.training.reset();
  LeaveOutSmall(analysed->facts(), Never, findings);
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].rule, "OP002");
}

TEST(LeaveOutSmall, LengthsOfBatchesThatNothingTrainsOnAreSilent) {
  const auto analysed = Dense(64);
  Finding finding;
  finding.rule = "DY005";
  finding.cost.unknown = "how many lengths there are is not known";
  SourceFacts& facts = analysed->workload.facts;
  facts.calls.push_back({.name = "model.generate"});
  analysed->workload.training.reset();
  std::vector<Finding> findings = {finding};
  LeaveOutSmall(analysed->facts(), Never, findings);
  EXPECT_TRUE(findings.empty());
  facts.calls.push_back({.name = "trainer.train"});
  findings = {finding};
  LeaveOutSmall(analysed->facts(), Never, findings);
  EXPECT_EQ(findings.size(), 1U);
}

TEST(LeaveOutSmall, WhatHelpsLearningIsSilentWhereTheStepPaysForIt) {
  const auto analysed = Dense(64);
  Finding finding = BatchFinding("IP008", 64, -0.3);
  finding.change = {};
  finding.of_learning = true;
  std::vector<Finding> findings = {finding, finding};
  findings[1].saving->share_of_step = -0.001;
  LeaveOutSmall(analysed->facts(), Never, findings);
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].saving->share_of_step, -0.001);
}

TEST(LeaveOutSmall, AWaitOfTheHostIsHeldAgainstTheStep) {
  const auto analysed = Dense(64);
  Finding finding;
  finding.rule = "HL006";
  finding.severity = Severity::kWarning;
  std::vector<Finding> findings = {finding, finding};
  findings[0].cost.time_per_step = analysed->facts().StepTime() * 0.001;
  findings[1].cost.time_per_step = analysed->facts().StepTime() * 0.5;
  LeaveOutSmall(analysed->facts(), Never, findings);
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_GT(*findings[0].cost.time_per_step, analysed->facts().StepTime() * 0.1);
}

TEST(LeaveOutSmall, WhatTestsDoIsSilent) {
  const auto analysed = Dense(64);
  const char* const files[] = {"tests/test_model.py", "debug_train.py", "model_onnx.py",
                               "export_model.py", "tests/fit.py"};
  std::vector<Finding> findings;
  for (const char* file : files) {
    findings.push_back(BatchFinding("ME006", 64, 0.5));
    findings.back().location.file = file;
  }
  LeaveOutSmall(analysed->facts(), Never, findings);
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].location.file, "tests/fit.py");
}

TEST(LeaveOutSmall, AScriptThatTrainsIsNoTestForItsName) {
  const auto analysed = Dense(64);
  SourceFacts& source = analysed->workload.facts;
  source.calls.push_back({.name = "loss.backward"});
  Finding finding = BatchFinding("ME006", 64, 0.5);
  finding.location.file = "test/test_train.py";
  const auto said = [&] {
    std::vector<Finding> findings = {finding};
    LeaveOutSmall(analysed->facts(), Never, findings);
    return !findings.empty();
  };
  EXPECT_TRUE(said());
  source.imports = {{.name = "unittest", .location = {.file = "test/other.py"}}};
  EXPECT_TRUE(said());
  source.imports.front().location.file = finding.location.file;
  EXPECT_FALSE(said());
  source.imports.clear();
  source.contexts = {
      {.location = {.file = finding.location.file}, .name = "test_loop", .targets = {"loader"}}};
  EXPECT_TRUE(said());
  source.contexts.front().targets.clear();
  EXPECT_FALSE(said());
}

TEST(LeaveOutSmall, APyTorchProgramThatNamesNoTpuNeedsFigures) {
  const auto analysed = Dense(64);
  SourceFacts& source = analysed->workload.facts;
  source.imports = {{.name = "torch.nn"}};
  Finding finding;
  finding.rule = "HL006";
  finding.severity = Severity::kWarning;
  finding.cost.unknown = "no model was read";
  std::vector<Finding> findings = {finding, BatchFinding("ME006", 64, 0.5)};
  LeaveOutSmall(analysed->facts(), Never, findings);
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].rule, "ME006");
  source.calls.push_back({.name = "torch_xla.core.xla_model.xla_device"});
  findings = {finding};
  LeaveOutSmall(analysed->facts(), Never, findings);
  EXPECT_EQ(findings.size(), 1U);
}

TEST(LeaveOutSmall, DonationOfAStateOfUnknownSizeIsSilent) {
  const auto analysed = Dense(64);
  Finding finding;
  finding.rule = "ME002";
  finding.cost.unknown = "how large the state is is not in the script";
  std::vector<Finding> findings = {finding};
  LeaveOutSmall(analysed->facts(), Never, findings);
  EXPECT_TRUE(findings.empty());
}

TEST(LeaveOutSmall, AMaskThatTakesMuchMemoryIsSaidOfWhatTrainsNothing) {
  const auto analysed = AnalyseProgram("import jax\njax.jit(print)\n");
  Facts facts = analysed->facts();
  facts.model = nullptr;
  const auto kept = [&](int64_t bytes) {
    Finding finding;
    finding.rule = "ME003";
    finding.cost.bytes = Bytes{bytes};
    std::vector<Finding> findings = {finding};
    LeaveOutSmall(facts, Never, findings);
    return !findings.empty();
  };
  EXPECT_TRUE(kept(int64_t{1} << 30));
  EXPECT_FALSE(kept(int64_t{1} << 20));
}

TEST(LeaveOutSmall, TheRestOfABatchIsSaidWithoutAModel) {
  const auto analysed = Dense(64);
  Facts facts = analysed->facts();
  facts.model = nullptr;
  Finding finding;
  finding.rule = "DY002";
  finding.cost.unknown = "no model was read";
  std::vector<Finding> findings = {finding};
  LeaveOutSmall(facts, Never, findings);
  EXPECT_EQ(findings.size(), 1U);
}

TEST(LeaveOutSmall, ABatchWithoutAModelIsOfDataWhoseBatchIsADimOfATile) {
  const auto analysed = Dense(64);
  analysed->workload.facts.tpu_strategy = true;
  Facts facts = analysed->facts();
  facts.model = nullptr;
  Finding finding;
  finding.rule = "AL002";
  finding.cost.unknown = "no model was read";
  std::vector<Finding> findings = {finding};
  LeaveOutSmall(facts, Never, findings);
  EXPECT_TRUE(findings.empty());
  Pipeline images;
  images.role = PipelineRole::kTraining;
  images.stages.push_back({.kind = StageKind::kBatch});
  images.stages.back().element = {{.dtype = "float32", .dims = {-1, 224, 224, 3}}};
  analysed->workload.pipelines = {images};
  findings = {finding};
  LeaveOutSmall(facts, Never, findings);
  EXPECT_EQ(findings.size(), 1U);
}

TEST(LeaveOutSmall, AConfigurationThatFitsAtNoBatchIsForALargerSlice) {
  const auto analysed = Dense(64);
  Finding finding;
  finding.rule = "ME001";
  finding.severity = Severity::kError;
  finding.location.file = "configs/base.yml";
  std::vector<Finding> findings = {finding, finding};
  findings[1].change.batch_per_core = 4;
  LeaveOutSmall(analysed->facts(), Never, findings);
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_TRUE(findings[0].change.batch_per_core.has_value());
}

TEST(LeaveOutSmall, DataThatADemonstrationShowsIsSilent) {
  const auto analysed = Dense(64);
  Facts facts = analysed->facts();
  facts.model = nullptr;
  Finding finding;
  finding.rule = "IP001";
  finding.severity = Severity::kWarning;
  finding.cost.unknown = "no model was read";
  std::vector<Finding> findings = {finding, finding};
  findings[0].location.file = "examples/resize_demo.py";
  findings[1].location.file = "examples/data.py";
  LeaveOutSmall(facts, Never, findings);
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].location.file, "examples/data.py");
}

TEST(LeaveOutSmall, AModelForBrowsersIsSilent) {
  const auto analysed = Dense(64);
  std::vector<Finding> findings = {BatchFinding("ME006", 64, 0.5)};
  analysed->workload.producer = "keras 2.2.4-tf, TensorFlow.js Converter v1.4.0";
  LeaveOutSmall(analysed->facts(), Never, findings);
  EXPECT_TRUE(findings.empty());
}

TEST(LeaveOutSmall, PaddingOfASmallOpDoesNotSpeakForTheBatch) {
  const auto analysed = Dense(64);
  std::vector<Finding> findings = {BatchFinding("AL005", 64, 0.5)};
  findings[0].cost.share_of_step = 0.01;
  LeaveOutSmall(analysed->facts(), Never, findings);
  EXPECT_TRUE(findings.empty());
}

TEST(StopsTheRun, IsAnErrorWithoutATime) {
  Finding finding;
  finding.severity = Severity::kError;
  EXPECT_TRUE(StopsTheRun(finding));
  finding.cost.time_per_step = Seconds{1};
  EXPECT_FALSE(StopsTheRun(finding));
}

}  // namespace
}  // namespace tilewise
