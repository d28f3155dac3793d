// A model and the configuration that runs it: what rules want is written into
// the configuration.

#include "advice/change_in_files.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "frontend/load.h"
#include "rules/rule.h"
#include "tests/program/apply_edits.h"
#include "tests/program/fixture.h"
#include "tests/support/temporary_folder.h"

namespace tilewise {
namespace {

using ::testing::HasSubstr;
using ::testing::SizeIs;

constexpr char kModel[] = R"({"class_name": "Sequential", "config": [
 {"class_name": "Conv2D", "config": {"name": "conv", "filters": 128,
  "kernel_size": [3, 3], "padding": "same",
  "batch_input_shape": [null, 8, 8, 128]}},
 {"class_name": "Conv2D", "config": {"name": "conv2", "filters": 128,
  "kernel_size": [3, 3], "padding": "same"}},
 {"class_name": "Flatten", "config": {"name": "flat"}},
 {"class_name": "Dense", "config": {"name": "dense", "units": 128}}]})";

class ChangeInFiles : public ::testing::Test {
 protected:
  // The findings of a rule in a model and its configuration.
  std::vector<Diagnostic> Findings(const std::string& config, const std::string& rule) {
    const auto workload =
        LoadFiles({folder_.Write("model.json", kModel), folder_.Write("experiment.yaml", config)},
                  {.cores = 8});
    EXPECT_TRUE(workload.ok()) << workload.status();
    const Fixture fixture;
    const auto target = TargetOf(fixture);
    if (!workload.ok() || !target.ok()) return {};
    const auto session = MakeSession(*workload, *target, {});
    EXPECT_TRUE(session.ok()) << session.status();
    RuleSelection selection;
    selection.select = {rule};
    return RunRules((*session)->facts(), selection);
  }

  TemporaryFolder folder_;
};

constexpr char kConfig[] = R"(runtime:
  distribution_strategy: 'tpu'
  mixed_precision_dtype: float32  # for now
train:
  train_file_pattern: 'gs://bucket/train-*-of-00128'
  train_batch_size: 512
  iterations_per_loop: 1  # slow
)";

TEST_F(ChangeInFiles, StepsOfALoopAreSetWhereTheConfigurationHasThem) {
  const auto found = Findings(kConfig, "HL001");
  ASSERT_THAT(found, SizeIs(1));
  EXPECT_EQ(found[0].location.line, 7);
  EXPECT_THAT(found[0].message, HasSubstr("iterations_per_loop is 1"));
  EXPECT_THAT(found[0].fix.text, HasSubstr("set iterations_per_loop to "));
  EXPECT_EQ(found[0].fix.applicability, Applicability::kUnsafe);
  const std::string fixed = ApplyEdits(kConfig, found[0].fix.edits);
  EXPECT_THAT(fixed, HasSubstr("0  # slow\n"));
  EXPECT_THAT(Findings(fixed, "HL001"), SizeIs(0));
}

TEST_F(ChangeInFiles, TheTypeIsSetWhereTheConfigurationHasIt) {
  const auto found = Findings(kConfig, "PR001");
  ASSERT_THAT(found, SizeIs(1));
  const std::string fixed = ApplyEdits(kConfig, found[0].fix.edits);
  EXPECT_THAT(fixed, HasSubstr("mixed_precision_dtype: bfloat16  # for now"));
  EXPECT_THAT(Findings(fixed, "PR001"), SizeIs(0));
}

TEST_F(ChangeInFiles, AChangeIsWrittenWholeOrNotAtAll) {
  const auto workload =
      LoadFiles({folder_.Write("model.json", kModel), folder_.Write("experiment.yaml", kConfig)},
                {.cores = 8});
  ASSERT_TRUE(workload.ok()) << workload.status();
  const auto target = TargetOf(Fixture{});
  ASSERT_TRUE(target.ok());
  const auto session = MakeSession(*workload, *target, {});
  ASSERT_TRUE(session.ok());
  const Facts& facts = (*session)->facts();
  Finding found;
  Change change;
  change.batch_per_core = 128;
  EXPECT_EQ(WriteChange(facts, change, found), "set the batch size to 1024");
  EXPECT_THAT(found.fix.edits, SizeIs(1));
  found.fix.edits.clear();
  change.replace[0] = [](GraphBuilder&, const Op&, std::span<const OpId> in) { return in[0]; };
  EXPECT_EQ(WriteChange(facts, change, found), "");
  EXPECT_THAT(found.fix.edits, SizeIs(0));
}

}  // namespace
}  // namespace tilewise
