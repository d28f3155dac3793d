// Configuration text in, edited text out: all but the value as it was.

#include "edit/data.h"

#include <gtest/gtest.h>

#include "tests/program/apply_edits.h"

namespace tilewise {
namespace {

constexpr char kFile[] = "model.config";

Workload WithText(const std::string& text) {
  Workload workload;
  workload.files.push_back({.path = kFile, .text = text, .cells = {}});
  return workload;
}

std::string Json(const std::string& text, const std::string& path, const std::string& value) {
  return ApplyEdits(text, SetJson(WithText(text), kFile, path, value));
}

TEST(SetJson, ReplacesAValueInPlace) {
  EXPECT_EQ(Json("{ \"a\" : {\"b\": [1,  {\"c\": \"x\"}]} }", "a.b[1].c", "\"y\""),
            "{ \"a\" : {\"b\": [1,  {\"c\": \"y\"}]} }");
  EXPECT_EQ(Json("{\"a\": {\"b\": 1}, \"c\": 2}", "a", "null"), "{\"a\": null, \"c\": 2}");
}

TEST(SetJson, AddsAMemberAsTheOthersAre) {
  EXPECT_EQ(Json("{\n  \"a\": 1,\n  \"b\": 2\n}\n", "c", "3"),
            "{\n  \"a\": 1,\n  \"b\": 2,\n  \"c\": 3\n}\n");
  EXPECT_EQ(Json("{\"a\":{}}", "a.b", "true"), "{\"a\":{\"b\": true}}");
}

TEST(SetJson, LeavesOtherTextsAlone) {
  for (const std::string text : {"", "[1]", "{\"a\": 1", "{]", "\"a\"", "{"}) {
    EXPECT_EQ(Json(text, "x.y", "1"), text);
  }
  EXPECT_EQ(Json("{\"a\": 1}", "", "1"), "{\"a\": 1}");
  EXPECT_EQ(Json("{\"a\": [1]}", "a[1]", "1"), "{\"a\": [1]}");
}

std::string Textproto(const std::string& text, const std::string& path, const std::string& value) {
  return ApplyEdits(text, SetTextproto(WithText(text), kFile, path, value));
}

constexpr char kConfig[] = R"(model {
  ssd {
    # classes: 1
    num_classes: 90  # COCO
    box_coder: < x_scale: 10.0, y: 'a { }' >
  }
}
train_config: {
  batch_size: 8
  data { op: "a" }
  data { op: "b" }
}
)";

std::string Replaced(std::string text, const std::string& from, const std::string& to) {
  const size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return text.replace(at, from.size(), to);
}

TEST(SetTextproto, ReplacesAValueInPlace) {
  EXPECT_EQ(Textproto(kConfig, "model.ssd.num_classes", "91"), Replaced(kConfig, "90", "91"));
  EXPECT_EQ(Textproto(kConfig, "model.ssd.box_coder.y", "'b'"),
            Replaced(kConfig, "'a { }'", "'b'"));
  EXPECT_EQ(Textproto(kConfig, "train_config.data[1].op", "\"c\""),
            Replaced(kConfig, "\"b\"", "\"c\""));
  EXPECT_EQ(Textproto(kConfig, "train_config.batch_size", "512"),
            Replaced(kConfig, "batch_size: 8", "batch_size: 512"));
}

TEST(SetTextproto, AddsAFieldAfterTheOthers) {
  EXPECT_EQ(Textproto(kConfig, "train_config.use_bfloat16", "true"),
            Replaced(kConfig, "\"b\" }\n", "\"b\" }\n  use_bfloat16: true\n"));
  EXPECT_EQ(Textproto("a { }\n", "a.b", "1"), "a { b: 1 }\n");
  EXPECT_EQ(Textproto("a { b: 1 }", "a.c", "2"), "a { b: 1 c: 2 }");
  EXPECT_EQ(Textproto("a: 1  # one\n", "b", "2"), "a: 1  # one\nb: 2\n");
}

TEST(SetTextproto, LeavesOtherTextsAlone) {
  for (const std::string text : {"a: 1", "a {", "}{", ": : :", "a: \"", "["}) {
    EXPECT_EQ(Textproto(text, "a.b.c", "1"), text);
  }
}

std::string Yaml(const std::string& text, const std::string& path, const std::string& value) {
  return ApplyEdits(text, SetYaml(WithText(text), kFile, path, value));
}

constexpr char kYaml[] = R"(# train: no
runtime:
  distribution_strategy: 'tpu'   # or mirrored
  "mixed": float32
task:
  train_data: {dtype: 'float32', cache: false, size: [1, 2]}
  layers:
  - type: conv
    width: 3
  - type: dense  # last
    width: 4
trainer:
  steps_per_loop: 1
)";

TEST(SetYaml, ReplacesAScalarAndKeepsItsComment) {
  EXPECT_EQ(Yaml(kYaml, "runtime.distribution_strategy", "'none'"),
            Replaced(kYaml, "'tpu'", "'none'"));
  EXPECT_EQ(Yaml(kYaml, "runtime.mixed", "bfloat16"),
            Replaced(kYaml, "\"mixed\": float32", "\"mixed\": bfloat16"));
  EXPECT_EQ(Yaml(kYaml, "trainer.steps_per_loop", "1000"),
            Replaced(kYaml, "loop: 1", "loop: 1000"));
}

TEST(SetYaml, FollowsListsAndFlowMaps) {
  EXPECT_EQ(Yaml(kYaml, "task.layers[1].width", "8"), Replaced(kYaml, "width: 4", "width: 8"));
  EXPECT_EQ(Yaml(kYaml, "task.layers[1].type", "conv"), Replaced(kYaml, "dense", "conv"));
  EXPECT_EQ(Yaml(kYaml, "task.train_data.cache", "true"), Replaced(kYaml, "false", "true"));
  EXPECT_EQ(Yaml(kYaml, "task.train_data.size", "[3]"), Replaced(kYaml, "[1, 2]", "[3]"));
}

TEST(SetYaml, AddsAKeyToABlock) {
  EXPECT_EQ(Yaml(kYaml, "runtime.all_reduce", "nccl"),
            Replaced(kYaml, "float32\ntask", "float32\n  all_reduce: nccl\ntask"));
}

TEST(SetYaml, LeavesWhatItDoesNotUnderstandAlone) {
  for (const std::string text : {"a: |\n  b: 1\n", "a: &x 1\n", "a: *x\n", "a: [1,\n  2]\n", "",
                                 "- - -\n", ":", "a:\n\t- b"}) {
    EXPECT_EQ(Yaml(text, "a", "1"), text);
  }
}

}  // namespace
}  // namespace tilewise
