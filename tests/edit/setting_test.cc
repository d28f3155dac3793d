// Places that readers recorded in, edited configuration out.

#include "edit/setting.h"

#include <gtest/gtest.h>

#include "edit/precision.h"
#include "edit/python.h"
#include "tests/program/apply_edits.h"

namespace tilewise {
namespace {

Workload WithText(const std::string& text, const std::string& path = "run.yaml") {
  Workload workload;
  workload.files.push_back({.path = path, .text = text, .cells = {}});
  return workload;
}

// "name=value" of the setting that begins there.
std::string Setting(const std::string& text, int32_t line, int32_t column) {
  const Workload workload = WithText(text);
  const auto setting = SettingAt(workload, {.file = "run.yaml", .line = line, .column = column});
  if (!setting) return "none";
  return std::string(setting->name) + "=" + std::string(TextOf(workload, setting->value));
}

TEST(SettingAt, ReadsAllSyntaxesOfConfigurations) {
  EXPECT_EQ(Setting("a:\n  steps: 1  # few\n", 2, 3), "steps=1");
  EXPECT_EQ(Setting("a: {\"steps\" : '1', b: 2}", 1, 5), "steps='1'");
  EXPECT_EQ(Setting("train { batch_size: 8; }", 1, 9), "batch_size=8");
  EXPECT_EQ(Setting("run.batch/size = 1_000\n", 1, 1), "run.batch/size=1_000");
}

TEST(SettingAt, BlocksAndListsHaveNoValue) {
  EXPECT_EQ(Setting("runtime:\n  x: 1\n", 1, 1), "runtime=");
  EXPECT_EQ(Setting("train {\n x: 1\n}", 1, 1), "train=");
  EXPECT_EQ(Setting("sizes: [1, 2]\n", 1, 1), "sizes=");
}

TEST(SettingAt, IsNothingWhereNoSettingBegins) {
  EXPECT_EQ(Setting("map(f)", 1, 1), "none");
  EXPECT_EQ(Setting("steps: 1", 2, 1), "none");
  EXPECT_EQ(Setting("steps: 1", 1, 99), "none");
  EXPECT_EQ(Setting("steps: 1", 0, 0), "none");
  EXPECT_EQ(Setting("steps = %STEPS", 1, 1), "none");
  EXPECT_EQ(Setting("", 1, 1), "none");
}

std::string WithFlag(const std::string& text, const std::string& value) {
  const auto at = static_cast<int64_t>(text.find(value));
  Stage stage;
  stage.written.push_back(
      {"ordered", {"run.yaml", 0, at, at + static_cast<int64_t>(value.size())}});
  return ApplyEdits(text, SetFlag(WithText(text), stage, "ordered", false));
}

TEST(SetFlag, TakesTheWordsOfTheFile) {
  EXPECT_EQ(WithFlag("ordered: true  # x", "true"), "ordered: false  # x");
  EXPECT_EQ(WithFlag("ordered = True", "True"), "ordered = False");
}

std::string InBFloat16(const std::string& text, const std::string& policy, int32_t line,
                       int32_t column) {
  Workload workload = WithText(text);
  workload.facts.precision_policy = policy;
  workload.facts.precision_policy_location = {.file = "run.yaml", .line = line, .column = column};
  return ApplyEdits(text, UseBFloat16(workload).edits);
}

TEST(UseBFloat16, SwitchesASettingInItsOwnWords) {
  EXPECT_EQ(InBFloat16("mixed: 'float16'  # half", "mixed_float16", 1, 1),
            "mixed: 'bfloat16'  # half");
  EXPECT_EQ(InBFloat16("a {\n use_bfloat16: false }", "float32", 2, 2),
            "a {\n use_bfloat16: true }");
  EXPECT_EQ(InBFloat16("dtype: mixed_float16", "mixed_float16", 1, 1), "dtype: mixed_bfloat16");
  EXPECT_EQ(InBFloat16("dtype: int8", "float32", 1, 1), "dtype: int8");
}

std::string LayersInBFloat16(const std::string& text) {
  return ApplyEdits(text, UseBFloat16(WithText(text, "model.json")).edits);
}

TEST(UseBFloat16, LeavesTheFirstAndTheLastLayerOfAModelAlone) {
  const auto model = [](const std::string& dtype) {
    return R"({"class_name": "Model", "config": {"layers": [
 {"class_name": "InputLayer", "config": {"dtype": "float32"}},
 {"class_name": "Dense", "config": {"dtype": ")" +
           dtype + R"("}},
 {"class_name": "Dense", "config": {"dtype": {"config": {"name": ")" +
           dtype + R"("}}}},
 {"class_name": "Dense", "config": {"dtype": "float32"}}]}})";
  };
  EXPECT_EQ(LayersInBFloat16(model("float32")), model("mixed_bfloat16"));
}

TEST(UseBFloat16, LeavesModelsWithoutTypesAlone) {
  const std::string old = R"({"class_name": "Sequential", "config": [
 {"class_name": "Dense", "config": {"dtype": "float32"}},
 {"class_name": "Dense", "config": {}}]})";
  for (const std::string& text : {old, std::string(), std::string("{"), std::string("[]"),
                                  std::string("{\"class_name\": 1}")}) {
    EXPECT_EQ(LayersInBFloat16(text), text);
  }
}

}  // namespace
}  // namespace tilewise
