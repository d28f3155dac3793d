// Files that cannot be read end in one message with path and expectation.

#include "frontend/load.h"

#include <filesystem>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "frontend/refused_format.h"
#include "tests/support/temporary_folder.h"

namespace tilewise {
namespace {

std::string LoadError(const std::string& name, const std::string& text) {
  const TemporaryFolder folder;
  const absl::StatusOr<Workload> w = LoadFiles({folder.Write(name, text)}, {});
  return w.ok() ? "loaded" : Message(w.status());
}

TEST(Load, NamesWhatIsWrongWithAFile) {
  EXPECT_THAT(LoadError("empty.py", " \n"), testing::HasSubstr("empty file"));
  EXPECT_THAT(LoadError("data.bin", std::string("\0\1x", 3)), testing::HasSubstr("unknown format"));
  EXPECT_THAT(LoadError("junk.py", ")]} ?? $$ ((( %% ]]]\n"), testing::HasSubstr("not python"));
  EXPECT_THAT(LoadError("book.ipynb", "{\"cells\": 3}"), testing::HasSubstr("expected a notebook"));
}

TEST(Load, FormatsThatResembleOthersAreRefusedByName) {
  EXPECT_THAT(LoadError("step.mlirbc", "ML\xEFR\x01StableHLO"),
              testing::HasSubstr("found MLIR bytecode, expected its text"));
  EXPECT_THAT(LoadError("run.yaml", "model: resnet\n"),
              testing::HasSubstr("found a YAML configuration"));
}

TEST(Load, WhatHasToBeUnpackedFirstIsSaid) {
  EXPECT_THAT(LoadError("step.hlo.gz", "\x1F\x8B\x08"),
              testing::HasSubstr("found a compressed file, expected what is in "
                                 "it: gunzip"));
  EXPECT_THAT(LoadError("model.zip", "PK\x03\x04 saved_model.pb"),
              testing::HasSubstr("found an archive of files"));
  EXPECT_THAT(LoadError("m.tar", std::string(257, 'x') + "ustar"),
              testing::HasSubstr("found an archive of files"));
  EXPECT_THAT(LoadError("step.mlir", "\xFF\xFEm"),
              testing::HasSubstr("found text in UTF-16, expected UTF-8"));
}

TEST(Load, WeightsAloneAreNoModel) {
  const std::string length("\x10\0\0\0\0\0\0\0", 8);
  for (const std::string& text : {length + "{\"a\": 1}", std::string("GGUF\x03"),
                                  std::string("\x01\x02\x57\xFB\x80\x8B\x24\x75\x47\xDB")}) {
    EXPECT_THAT(LoadError("weights", text), testing::HasSubstr("found weights without a model"));
  }
}

TEST(Load, AByteOrderMarkIsNoPartOfTheText) {
  EXPECT_EQ(LoadError("step.hlo",
                      "\xEF\xBB\xBFHloModule m\r\nENTRY e {\r\n"
                      "  ROOT a = f32[8] parameter(0)\r\n}\r\n"),
            "loaded");
}

// What batches move, and the norms, of a model that is read for training or not.
std::string NormsOf(const InputFile& file, bool training) {
  LoadOptions options;
  options.training = training;
  const absl::StatusOr<Workload> w = LoadBytes(file, options);
  if (!w.ok()) return Message(w.status());
  std::string kinds;
  for (const Op& op : w->graph->ops()) {
    const bool moving = op.kind == OpKind::kVariable && !op.as<VariableAttrs>().trainable;
    if (moving) kinds += "moving ";
    if (ClassOf(op.kind) == OpClass::kComposite) kinds += OpName(op.kind);
  }
  return kinds;
}

TEST(Load, TrainedBatchNormsTakeTheMomentsOfTheBatch) {
  const InputFile exported = {"m.hlo",
                              "HloModule m\nENTRY e {\n  x = f32[8,4] parameter(0)\n"
                              "  g = f32[4] parameter(1)\n  b = f32[4] parameter(2)\n"
                              "  m = f32[4] parameter(3)\n  v = f32[4] parameter(4)\n"
                              "  ROOT y = f32[8,4] batch-norm-inference(x, g, b, m, v), "
                              "epsilon=0.001, feature_index=1\n}\n"};
  EXPECT_EQ(NormsOf(exported, false), "batch-norm-inference");
  EXPECT_EQ(NormsOf(exported, true), "moving moving batch-norm-training");
}

TEST(Load, LayersModelOfTensorFlowJsIsAKerasModel) {
  EXPECT_EQ(LoadError("layers.json", R"({"format": "layers-model",
      "modelTopology": {"keras_version": "2.8.0", "model_config":
        {"class_name": "Sequential", "config": {"name": "m", "layers": [
          {"class_name": "Dense", "config": {"name": "d", "units": 2,
           "batch_input_shape": [null, 4]}}]}}}, "weightsManifest": []})"),
            "loaded");
}

TEST(Load, UnknownFilesAreToldWhatToExport) {
  const absl::Status status = LoadBytes({"data.bin", "\x01\x02"}, {}).status();
  EXPECT_THAT(Message(status), testing::HasSubstr("found an unknown format"));
  for (const char* line :
       {"formats: notebook, keras-json", "tf.saved_model.save(", "model.to_json()",
        "jax.jit(step).lower(", "--xla_dump_to=", "torch.onnx.export("}) {
    EXPECT_THAT(HelpOf(status), testing::HasSubstr(line));
  }
  EXPECT_EQ(HelpOf(LoadFiles({"/nowhere"}, {}).status()), "");
}

TEST(Load, AFormatThatIsNamedIsBelieved) {
  const TemporaryFolder folder;
  const std::string path = folder.Write("model.txt", "x = 1\n");
  const auto read = LoadFiles({path}, {.input_format = "python"});
  ASSERT_TRUE(read.ok()) << read.status();
  EXPECT_EQ(read->format, "python");
  EXPECT_THAT(Message(LoadFiles({path}, {.input_format = "pyton"}).status()),
              testing::HasSubstr("input format: found 'pyton', expected one of"));
}

TEST(Load, AFolderThatHoldsAModelIsReadAsThatModel) {
  const TemporaryFolder folder;
  folder.Write("config.json", R"({"class_name": "Sequential", "config": {
      "layers": [{"class_name": "Dense", "config": {"name": "d", "units": 2,
                  "batch_input_shape": [null, 4]}}]}})");
  const auto read = LoadFiles({folder.path("")}, {});
  ASSERT_TRUE(read.ok()) << read.status();
  EXPECT_EQ(read->format, "keras-json");
}

TEST(Load, ASavedModelHasTheLinesOfTheProgramBesideIt) {
  const TemporaryFolder folder;
  folder.Write("saved_model.pbtxt", R"(
      saved_model_schema_version: 1 meta_graphs { graph_def {
        node { name: "x" op: "Placeholder"
          attr { key: "dtype" value { type: DT_FLOAT } }
          attr { key: "shape" value { shape { dim { size: 4 } } } } }
        node { name: "y" op: "Exp" input: "x"
          attr { key: "T" value { type: DT_FLOAT } } } } })");
  std::filesystem::create_directory(folder.path("debug"));
  // files: "train.py", traces: "y@" -> line 6 of file 0
  folder.Write("debug/saved_model_debug_info.pb",
               "\x0A\x08train.py\x12\x0A\x0A\x02y@\x12\x04\x0A\x02\x10\x06");
  const auto read = LoadFiles({folder.path("")}, {});
  ASSERT_TRUE(read.ok()) << read.status();
  EXPECT_EQ(FormatLocation(read->graph->ops().back().location), "train.py:6");
}

TEST(Load, MissingFileAndDirectory) {
  EXPECT_THAT(Message(LoadFiles({"/no/such.py"}, {}).status()),
              testing::HasSubstr("/no/such.py: no such file"));
  const TemporaryFolder folder;
  EXPECT_THAT(Message(LoadFiles({folder.path("")}, {}).status()),
              testing::HasSubstr("found a directory"));
}

}  // namespace
}  // namespace tilewise
