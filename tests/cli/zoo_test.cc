// Zoo models in the place of files.

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/cli/run_tilewise.h"

namespace tilewise {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

nlohmann::json JsonOf(const std::string& arguments) {
  const RunResult run = RunTilewise(arguments + " --format json");
  EXPECT_EQ(run.exit_code, 0) << run.err;
  return nlohmann::json::parse(run.out, nullptr, false);
}

constexpr char kMlp[] = "zoo:mlp,layers=2,nodes=512";

TEST(Zoo, ModelTrainsUnlessInferenceIsAskedFor) {
  const std::string simulate = std::string("simulate ") + kMlp + " --batch 1024";
  EXPECT_THAT(RunTilewise(simulate).out, HasSubstr("training step"));
  EXPECT_THAT(RunTilewise(simulate + " --infer").out, HasSubstr("inference step"));
}

TEST(Zoo, WorkloadWithoutWeightsIsNotTrainedAndHasNoBatchToAssume) {
  const std::string out = RunTilewise("simulate zoo:gemm").out;
  EXPECT_THAT(out, HasSubstr("inference step"));
  EXPECT_THAT(out, Not(HasSubstr("No file names a batch size")));
}

TEST(Zoo, EveryCommandOnModelsTakesIt) {
  for (const char* command : {"advise", "lint", "simulate", "estimate", "tune"}) {
    const RunResult run = RunTilewise(fmt::format("{} {} --batch 1024", command, kMlp));
    EXPECT_NE(run.exit_code, 2) << command << ": " << run.err;
    EXPECT_THAT(run.out, HasSubstr(kMlp)) << command;
  }
}

TEST(Zoo, ScriptGivesThePipelineAndTheZooTheModel) {
  const TemporaryFolder folder;
  const std::string script =
      folder.Write("train.py",
                   "import tensorflow as tf\n"
                   "ds = tf.data.Dataset.from_tensor_slices((x, y)).batch(4096)\n");
  const nlohmann::json json = JsonOf(std::string("simulate ") + kMlp + " " + script);
  EXPECT_EQ(json["setting"]["global_batch_examples"], 4096);
}

TEST(Zoo, APartOfTheBatchIsWhatTilesHold) {
  const std::string lint = "lint zoo:resnet50 --no-config --gradient-accumulation 5 --select AL002";
  EXPECT_THAT(RunTilewise(lint + " --batch 480").out,
              HasSubstr("parts of 12, expected a multiple of 8; padded to 16"));
  EXPECT_THAT(RunTilewise(lint + " --batch 320").out, HasSubstr("no findings"));
}

TEST(Zoo, ErrorsNameTheParameter) {
  const RunResult run = RunTilewise("simulate zoo:resnet50,imge=160");
  EXPECT_EQ(run.exit_code, 2);
  EXPECT_THAT(run.err, HasSubstr("did you mean 'image'?"));
}

}  // namespace
}  // namespace tilewise
