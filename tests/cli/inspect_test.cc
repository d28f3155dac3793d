// `tilewise inspect` on files of several formats, and options about input
// formats and batches that all commands have.

#include <cstdlib>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/cli/run_tilewise.h"

namespace tilewise {
namespace {

using ::testing::HasSubstr;

constexpr char kSeeds[] = TILEWISE_SOURCE_DIR "/fuzz/seeds/";
constexpr char kSchema[] = TILEWISE_SOURCE_DIR "/docs/schema/inspect.schema.json";

// A step whose batch of 8 was fixed when it was written.
constexpr char kFixedBatch[] =
    "HloModule jit_f, entry_computation_layout={(f32[8,16]{1,0}, f32[16,32]"
    "{1,0})->f32[8,32]{1,0}}\n\n"
    "ENTRY main {\n"
    "  x = f32[8,16]{1,0} parameter(0)\n"
    "  w = f32[16,32]{1,0} parameter(1)\n"
    "  d = f32[8,32]{1,0} dot(x, w), lhs_contracting_dims={1}, "
    "rhs_contracting_dims={0}\n"
    "  ROOT t = f32[8,32]{1,0} tanh(d)\n"
    "}\n";

nlohmann::json FileOf(const std::string& arguments) {
  const RunResult run = RunTilewise("inspect " + arguments + " --format json");
  EXPECT_EQ(run.exit_code, 0) << run.err;
  return nlohmann::json::parse(run.out).at("files").at(0);
}

TEST(Inspect, CountsWhatIsInAModel) {
  const auto file = FileOf(std::string(kSeeds) + "keras_h5/variable.h5");
  EXPECT_EQ(file["format"], "keras-h5");
  EXPECT_EQ(file["producer"], "keras 2.9.0");
  const auto& model = file["model"];
  EXPECT_EQ(model["step"], "forward");
  EXPECT_EQ(model["parameters"], 10);
  EXPECT_EQ(model["parameter_bytes"], 40);
  EXPECT_EQ(model["native"]["flops"], 1.0);
  EXPECT_TRUE(model["batch_is_symbolic"]);
  EXPECT_EQ(model["inputs"].at(0)["dims"], nlohmann::json({1, 4}));
  EXPECT_EQ(model["inputs"].at(0)["batch_dims"], nlohmann::json::array({0}));
}

TEST(Inspect, FiguresAreForTheBatchThatIsAskedFor) {
  const std::string path = std::string(kSeeds) + "keras_h5/variable.h5";
  const double one = FileOf(path)["model"]["flops"];
  EXPECT_EQ(FileOf(path + " --batch 64")["model"]["flops"], 64 * one);
}

TEST(Inspect, TextHasTheSameFigures) {
  const RunResult run = RunTilewise(std::string("inspect ") + kSeeds + "keras_zip/model.keras");
  EXPECT_EQ(run.exit_code, 0) << run.err;
  EXPECT_THAT(run.out, HasSubstr("format          keras-zip\n"));
  EXPECT_THAT(run.out, HasSubstr("parameters      10 (40 B)\n"));
  EXPECT_THAT(run.out, HasSubstr("native          100 % of ops"));
}

TEST(Inspect, StatisticsOfNormsAreNoParametersThatAreTrained) {
  const TemporaryFolder folder;
  const std::string path = folder.Write("train.py", R"(
import numpy as np
from tensorflow import keras
layers = [keras.Input((8,)), keras.layers.Dense(4), keras.layers.BatchNormalization()]
net = keras.Sequential(layers)
net.compile("sgd", "mse")
net.fit(np.zeros((64, 8)), np.zeros((64, 4)), batch_size=16)
)");
  const RunResult run = RunTilewise("inspect " + path);
  EXPECT_EQ(run.exit_code, 0) << run.err;
  EXPECT_THAT(run.out, HasSubstr("parameters      44, and 8 that are not trained (208 B)\n"));
}

TEST(Inspect, ExplainsHowAFixedBatchIsFound) {
  const TemporaryFolder folder;
  const std::string path = folder.Write("step.hlo", kFixedBatch);
  const RunResult run = RunTilewise("inspect --explain-batch " + path);
  EXPECT_EQ(run.exit_code, 0) << run.err;
  EXPECT_THAT(run.out, HasSubstr("a batch of 8 comes in as dim 0 of"));
  const auto free = FileOf(path + " --batch 32");
  EXPECT_TRUE(free["model"]["batch_is_symbolic"]);
  EXPECT_EQ(free["model"]["flops"], 32.0 * 32 * (2 * 16 + 1));
}

TEST(Inspect, SaysWhichInputsABatchMayComeFrom) {
  const TemporaryFolder folder;
  const std::string path = folder.Write("step.hlo", kFixedBatch);
  const RunResult run = RunTilewise("inspect --batch-dim y:0 " + path);
  EXPECT_EQ(run.exit_code, 2);
  EXPECT_THAT(run.err, HasSubstr("--batch-dim: found 'y:0', expected an input"));
}

TEST(Inspect, ANamedFormatIsTaken) {
  const TemporaryFolder folder;
  const std::string path = folder.Write("step.txt", kFixedBatch);
  EXPECT_EQ(FileOf(path + " --input-format hlo-text")["format"], "hlo-text");
  const RunResult wrong = RunTilewise("inspect --input-format hlo " + path);
  EXPECT_EQ(wrong.exit_code, 2);
  EXPECT_THAT(wrong.err, HasSubstr("found 'hlo', expected"));
}

TEST(Inspect, AReportOfALogIsAFinding) {
  const std::string path = std::string(kSeeds) + "log/prefixed.log";
  const auto file = FileOf(path);
  EXPECT_EQ(file["memory_reports"].at(0)["largest"].at(0)["bytes"], int64_t{32} << 30);
  const RunResult lint = RunTilewise("lint " + path);
  EXPECT_EQ(lint.exit_code, 1) << lint.err;
  EXPECT_THAT(lint.out, HasSubstr("ME008"));
}

TEST(Inspect, JsonFollowsItsSchema) {
  if (std::system("/usr/bin/python3 -c 'import jsonschema' 2>/dev/null")) {
    GTEST_SKIP() << "no python3-jsonschema";
  }
  const TemporaryFolder folder;
  for (const std::string file :
       {"keras_h5/variable.h5", "keras_json/functional.json", "log/prefixed.log",
        "log/compilations.log", "python/keras.py", "hlo_text/step.hlo"}) {
    const RunResult run = RunTilewise("inspect " + (kSeeds + file) + " --format json");
    const std::string json = folder.Write("output.json", run.out);
    const std::string command =
        "/usr/bin/python3 -W ignore -m jsonschema -i " + json + " " + kSchema;
    EXPECT_EQ(std::system(command.c_str()), 0) << file;
  }
}

TEST(Steps, AModelExportedToServeRunsAsItIs) {
  const TemporaryFolder folder;
  const std::string path = folder.Write("step.hlo", kFixedBatch);
  const RunResult run = RunTilewise("simulate --inference --format json " + path);
  EXPECT_EQ(run.exit_code, 0) << run.err;
  EXPECT_EQ(nlohmann::json::parse(run.out)["setting"]["mode"], "infer");
}

}  // namespace
}  // namespace tilewise
