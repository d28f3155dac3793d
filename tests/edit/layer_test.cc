// The text that makes a layer in, another size or class out.

#include "edit/layer.h"

#include <gtest/gtest.h>

#include "edit/keras_text.h"
#include "frontend/load.h"
#include "tests/program/apply_edits.h"
#include "tests/support/temporary_folder.h"

namespace tilewise {
namespace {

constexpr char kModel[] = R"({"class_name": "Model", "config": {"layers": [
 {"class_name": "Embedding", "name": "words", "config": {"input_dim": 20000,
  "output_dim": 100}},
 {"class_name": "Bidirectional", "config": {"name": "both", "layer":
  {"class_name": "LSTM", "config": {"name": "one", "units": 50}}}},
 {"class_name": "Model", "config": {"layers": [
  {"class_name": "MaxPooling2D", "config": {"name": "pool"}}]}},
 {"class_name": "Dense", "config": {"name": "twice", "units": 7}},
 {"class_name": "Dense", "config": {"name": "twice", "units": 7}},
 {"class_name": "Conv2DTranspose", "config": {"name": "up", "filters": 7}}
]}})";

Workload Json() {
  Workload workload;
  workload.files.push_back({.path = "model.json", .text = kModel, .cells = {}});
  return workload;
}

std::string Changed(const std::string& from, const std::string& to) {
  std::string text = kModel;
  return text.replace(text.find(from), from.size(), to);
}

std::string Sized(const std::string& layer, LayerSize size, int64_t now, int64_t then) {
  return ApplyEdits(kModel,
                    SetLayerSize(Json(), {.file = "model.json", .item = layer}, size, now, then));
}

TEST(LayersIn, FollowsModelsAndWrappers) {
  std::string names;
  for (const LayerText& layer : LayersIn(kModel)) {
    names += std::string(layer.name) + ":" + std::string(layer.class_name) + " ";
  }
  EXPECT_EQ(names,
            "words:Embedding both:Bidirectional both:LSTM pool:MaxPooling2D "
            "twice:Dense twice:Dense up:Conv2DTranspose ");
}

TEST(SetLayerSize, SetsWhatTheClassCallsIt) {
  EXPECT_EQ(Sized("words", LayerSize::kFeatures, 100, 128), Changed("100", "128"));
  EXPECT_EQ(Sized("words", LayerSize::kRows, 20000, 20096), Changed("20000", "20096"));
  EXPECT_EQ(Sized("both", LayerSize::kFeatures, 200, 256), Changed("50", "64"));
}

TEST(SetLayerSize, LeavesAloneWhatItIsNotSureOf) {
  EXPECT_EQ(Sized("words", LayerSize::kFeatures, 99, 128), kModel);
  EXPECT_EQ(Sized("both", LayerSize::kFeatures, 200, 255), kModel);
  EXPECT_EQ(Sized("twice", LayerSize::kFeatures, 7, 8), kModel);
  EXPECT_EQ(Sized("up", LayerSize::kFeatures, 7, 8), kModel);
  EXPECT_EQ(Sized("absent", LayerSize::kFeatures, 7, 8), kModel);
}

TEST(PoolByAverage, RenamesTheClass) {
  EXPECT_EQ(ApplyEdits(kModel, PoolByAverage(Json(), {.file = "model.json", .item = "pool"})),
            Changed("MaxPooling2D", "AveragePooling2D"));
  EXPECT_TRUE(PoolByAverage(Json(), {.file = "model.json", .item = "words"}).empty());
}

// Edited in a script at the place of the call whose name is `callee`.
std::string InScript(const std::string& text, const std::string& callee) {
  const TemporaryFolder folder;
  const auto workload = LoadFiles({folder.Write("model.py", text)}, {});
  EXPECT_TRUE(workload.ok()) << workload.status();
  if (!workload.ok()) return "";
  for (const SourceCall& call : workload->facts.calls) {
    if (!call.name.ends_with(callee)) continue;
    std::vector<TextEdit> edits = PoolByAverage(*workload, call.location);
    if (edits.empty()) {
      edits = SetLayerSize(*workload, call.location, LayerSize::kFeatures, 100, 128);
    }
    return ApplyEdits(text, edits);
  }
  return "no call";
}

TEST(SetLayerSize, EditsTheConstructorOfAScript) {
  const std::string start = "import tensorflow as tf\nfrom tensorflow.keras import layers\n";
  EXPECT_EQ(InScript(start + "x = layers.Dense(100, activation='relu')\n", "Dense"),
            start + "x = layers.Dense(128, activation='relu')\n");
  EXPECT_EQ(InScript(start + "x = layers.Conv2D(kernel_size=3, filters=100)\n", "Conv2D"),
            start + "x = layers.Conv2D(kernel_size=3, filters=128)\n");
  EXPECT_EQ(InScript(start + "x = layers.Dense(WIDTH)\n", "Dense"),
            start + "x = layers.Dense(WIDTH)\n");
}

TEST(PoolByAverage, LeavesNamesThatWereImportedAlone) {
  const std::string start =
      "from tensorflow.keras import layers\n"
      "from tensorflow.keras.layers import MaxPool2D\n";
  EXPECT_EQ(InScript(start + "x = layers.MaxPool2D(2)\n", "MaxPool2D"),
            start + "x = layers.AveragePooling2D(2)\n");
  EXPECT_EQ(InScript(start + "x = MaxPool2D(2)\n", "MaxPool2D"), start + "x = MaxPool2D(2)\n");
}

}  // namespace
}  // namespace tilewise
