// Files that cannot be read end in one message with path and expectation.

#include "frontend/load.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

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
  EXPECT_THAT(LoadError("data.bin", std::string("\0\1x", 3)),
              testing::HasSubstr("unknown format"));
  EXPECT_THAT(LoadError("junk.py", ")]} ?? $$ ((( %% ]]]\n"),
              testing::HasSubstr("not python"));
  EXPECT_THAT(LoadError("book.ipynb", "{\"cells\": 3}"),
              testing::HasSubstr("expected a notebook"));
}

TEST(Load, FormatsThatResembleOthersAreRefusedByName) {
  EXPECT_THAT(LoadError("t5.gin", "import t5\nBATCH = 128\n"),
              testing::HasSubstr("found a gin configuration"));
  EXPECT_THAT(LoadError("model.json",
                        R"({"format": "graph-model", "modelTopology":
                            {"node": []}})"),
              testing::HasSubstr("found a TensorFlow.js graph model"));
}

TEST(Load, LayersModelOfTensorFlowJsIsAKerasModel) {
  EXPECT_EQ(LoadError("layers.json", R"({"format": "layers-model",
      "modelTopology": {"keras_version": "2.8.0", "model_config":
        {"class_name": "Sequential", "config": {"name": "m", "layers": [
          {"class_name": "Dense", "config": {"name": "d", "units": 2,
           "batch_input_shape": [null, 4]}}]}}}, "weightsManifest": []})"),
            "loaded");
}

TEST(Load, MissingFileAndDirectory) {
  EXPECT_THAT(Message(LoadFiles({"/no/such.py"}, {}).status()),
              testing::HasSubstr("/no/such.py: no such file"));
  EXPECT_THAT(Message(LoadFiles({testing::TempDir()}, {}).status()),
              testing::HasSubstr("found a directory"));
}

}  // namespace
}  // namespace tilewise
