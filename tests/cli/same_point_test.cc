// Commands that are asked about one point give one answer: simulate, estimate,
// lint, tune, advise and validate on random workloads, targets and settings.

#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/cli/run_tilewise.h"

namespace tilewise {
namespace {

using nlohmann::json;

// The same numbers on every machine, as distributions of the library are not.
class Dice {
 public:
  explicit Dice(uint32_t seed) : engine_(seed) {}
  int64_t Roll(int64_t least, int64_t most) {
    return least + static_cast<int64_t>(engine_() % static_cast<uint64_t>(most - least + 1));
  }
  template <class T>
  T Pick(const std::vector<T>& of) {
    return of[Roll(0, static_cast<int64_t>(of.size()) - 1)];
  }

 private:
  std::mt19937 engine_;
};

// What is asked, as the options of commands and as a row of a table.
struct Point {
  std::string file;  // or a model of the zoo
  std::string chip, host, mesh;
  int64_t cores = 8;
  int64_t batch = 0;        // global
  bool names_batch = true;  // else the file has it
  int64_t steps_per_execution = 1;
  bool training = true;

  std::string Options() const {
    std::string text = fmt::format(
        "'{}' --no-config --chip {} --host {} --cores {} "
        "--steps-per-execution {} --format json {}",
        file, chip, host, cores, steps_per_execution, training ? "--train" : "--infer");
    if (names_batch) text += fmt::format(" --batch {}", batch);
    if (!mesh.empty()) text += " --mesh " + mesh;
    return text;
  }

  std::string Table() const {
    return fmt::format(
        "id,workload,metric,value,unit,spec,clock,mode,chip,host,mesh,cores,batch_global,"
        "steps_per_execution\n"
        "point,a random one,step time,1,s,\"{}\",loop,{},{},{},\"{}\",{},{},{}\n",
        file, training ? "train" : "infer", chip, host, mesh, cores, batch, steps_per_execution);
  }
};

std::string KerasModel(Dice& dice) {
  std::string layers;
  const int64_t count = dice.Roll(1, 3);
  for (int64_t i = 0; i < count; ++i) {
    layers += fmt::format(R"(,{{"class_name": "Dense", "config": {{"name": "d{}", "units": {}, )"
                          R"("activation": "{}", "dtype": "float32", "use_bias": {}}}}})",
                          i, dice.Roll(3, 600),
                          dice.Pick<std::string>({"relu", "tanh", "softmax", "linear"}),
                          dice.Pick<std::string>({"true", "false"}));
  }
  return fmt::format(
      R"({{"class_name": "Sequential", "keras_version": "2.4.0", "backend": "tensorflow",)"
      R"("config": {{"name": "m", "layers": [{{"class_name": "InputLayer", "config": )"
      R"({{"name": "x", "batch_input_shape": [null, {}], "dtype": "float32"}}}}{}]}}}})",
      dice.Roll(5, 900), layers);
}

// A chain of matmuls whose batch is written into the file.
std::string HloModule(Dice& dice, int64_t batch) {
  int64_t width = dice.Roll(8, 700);
  std::string text = "HloModule m\nENTRY e {\n";
  text += fmt::format("  v0 = f32[{},{}] parameter(0)\n", batch, width);
  const int64_t count = dice.Roll(1, 3);
  for (int64_t i = 0; i < count; ++i) {
    const int64_t next = dice.Roll(8, 700);
    text += fmt::format("  w{} = f32[{},{}] parameter({})\n", i, width, next, i + 1);
    text += fmt::format(
        "  d{0} = f32[{1},{2}] dot(v{0}, w{0}), lhs_contracting_dims={{1}}, "
        "rhs_contracting_dims={{0}}\n",
        i, batch, next);
    text += fmt::format("  {}v{} = f32[{},{}] {}(d{})\n", i + 1 == count ? "ROOT " : "", i + 1,
                        batch, next, dice.Pick<std::string>({"tanh", "exponential", "negate"}), i);
    width = next;
  }
  return text + "}\n";
}

std::string Script(Dice& dice) {
  return fmt::format(
      "import tensorflow as tf\n"
      "ds = tf.data.Dataset.from_tensor_slices((x, y)).map(f).batch({})\n"
      "model = tf.keras.Sequential([\n"
      "    tf.keras.layers.Dense({}, activation='relu', input_shape=({},)),\n"
      "    tf.keras.layers.Dense(10, activation='softmax')])\n"
      "model.compile('{}', 'sparse_categorical_crossentropy', steps_per_execution={})\n"
      "model.fit(ds, epochs=5)\n",
      128 * dice.Roll(1, 8), dice.Roll(3, 600), dice.Roll(5, 900),
      dice.Pick<std::string>({"adam", "sgd", "rmsprop"}), dice.Roll(1, 50));
}

std::string ZooModel(Dice& dice) {
  switch (dice.Roll(0, 2)) {
    case 0:
      return fmt::format("zoo:mlp,layers={},nodes={},input={},output={},dtype={}", dice.Roll(0, 3),
                         dice.Roll(8, 500), dice.Roll(8, 500), dice.Roll(2, 100),
                         dice.Pick<std::string>({"f32", "bf16"}));
    case 1:
      return fmt::format("zoo:lstm,layers=1,units={},embed={},vocab={},seq={}", dice.Roll(8, 200),
                         dice.Roll(8, 200), dice.Roll(50, 500), dice.Roll(2, 8));
    default:
      return fmt::format("zoo:bert,layers=1,d_model={},heads=2,d_ff={},vocab={},seq={}",
                         2 * dice.Roll(16, 64), dice.Roll(16, 256), dice.Roll(50, 500),
                         dice.Roll(8, 32));
  }
}

class SamePoint : public testing::TestWithParam<int> {
 protected:
  Point RandomPoint() {
    Dice dice(static_cast<uint32_t>(GetParam()));
    Point point;
    point.chip = dice.Pick<std::string>({"v2", "v3", "v4", "v5e", "v5p", "v6e"});
    point.host = dice.Pick<std::string>({"colab", "tpu-node", "tpu-vm"});
    point.cores = dice.Pick<int64_t>({8, 16});
    point.mesh = dice.Pick<std::string>({"", "fsdp={}", "data=2,fsdp={}", "data={},tensor=2"});
    const bool splits_products = point.mesh.ends_with("tensor=2");
    const int64_t shards = splits_products ? point.cores / 2 : point.cores;
    point.mesh = fmt::format(fmt::runtime(point.mesh),
                             point.mesh.starts_with("fsdp") ? point.cores : point.cores / 2);
    const int64_t per_core = dice.Roll(2, 300);
    point.batch = shards * per_core;
    point.steps_per_execution = dice.Pick<int64_t>({1, 7, 100});
    point.training = dice.Roll(0, 2) > 0;
    switch (GetParam() % 4) {
      case 0:
        point.file = ZooModel(dice);
        break;
      case 1:
        point.file = folder_.Write("m.json", KerasModel(dice));
        break;
      case 2:
        point.file = folder_.Write("m.hlo", HloModule(dice, per_core));
        point.names_batch = dice.Roll(0, 1) > 0;
        break;
      default:
        point.file = folder_.Write("t.py", Script(dice));
    }
    // Not all cores have as many examples.
    if (point.names_batch && dice.Roll(0, 3) == 0) point.batch -= dice.Roll(1, shards - 1);
    return point;
  }

  static json Answer(const std::string& command, const std::string& options) {
    const RunResult run = RunTilewise(command + " " + options);
    EXPECT_LE(run.exit_code, 1) << command << " " << options << "\n" << run.err;
    return json::parse(run.out, nullptr, false);
  }

  const TemporaryFolder folder_;
};

TEST_P(SamePoint, GetsOneAnswerFromAllCommands) {
  const Point point = RandomPoint();
  SCOPED_TRACE(point.Options());
  const json simulated = Answer("simulate", point.Options());
  ASSERT_TRUE(simulated.contains("loop")) << simulated.dump(2);
  const json& step = simulated["step"];
  const json& memory = simulated["memory"];
  const json& loop = simulated["loop"];

  const json estimated = Answer("estimate", point.Options());
  EXPECT_EQ(estimated["setting"], simulated["setting"]);
  EXPECT_EQ(estimated["memory"], memory);
  EXPECT_EQ(estimated["step"]["lower_bound_seconds"], step["lower_bound_seconds"]);
  EXPECT_LE(estimated["step"]["lower_bound_seconds"], step["device_seconds"]);

  const json linted = Answer("lint", "--no-cache " + point.Options());
  EXPECT_EQ(linted["setting"], simulated["setting"]);
  for (const auto& [key, value] : linted["step"].items()) EXPECT_EQ(value, step[key]) << key;
  EXPECT_EQ(linted["step"].size() + 1, step.size());  // it counts no kernels
  EXPECT_EQ(linted["reachable"]["now"]["device_seconds"], step["device_seconds"]);
  EXPECT_EQ(linted["reachable"]["now"]["hbm_peak_bytes"], memory["hbm_peak_bytes"]);

  const json tuned = Answer("tune", point.Options());
  const json advised = Answer("advise", point.Options());
  for (const json& answer : {tuned, advised}) {
    EXPECT_EQ(answer["setting"], simulated["setting"]);
    EXPECT_EQ(answer["step"], step);
    EXPECT_EQ(answer["memory"]["hbm_peak_bytes"], memory["hbm_peak_bytes"]);
    EXPECT_EQ(answer["loop"], loop);
    const json& current = answer["tuning"]["current"];
    EXPECT_EQ(current["hbm_peak_bytes"], memory["hbm_peak_bytes"]);
    EXPECT_EQ(current["fits"], memory["fits"]);
    EXPECT_EQ(current["loop"], loop);
  }
  EXPECT_EQ(advised["reachable"]["now"], linted["reachable"]["now"]);

  const std::string table = folder_.Write("point.csv", point.Table());
  const json validated = Answer("validate", table + " --verbose --format json");
  const json& row = validated["sets"][0]["all"][0];
  EXPECT_EQ(row["device_seconds"], step["device_seconds"]) << row.dump(2);
  EXPECT_EQ(row["simulated"], loop["wall_step_seconds"]);
  EXPECT_EQ(row["fits"], memory["fits"]);
}

INSTANTIATE_TEST_SUITE_P(Random, SamePoint, testing::Range(0, 8));

}  // namespace
}  // namespace tilewise
