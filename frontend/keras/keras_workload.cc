// Unwraps the model from what stands around it, builds its graph,
// and takes optimizer and loss when the file has them.

#include "frontend/keras/keras_workload.h"

#include <utility>

#include <fmt/format.h>

#include "frontend/keras/bounded_json.h"
#include "frontend/keras/keras_model.h"
#include "frontend/keras/layer_config.h"
#include "frontend/keras/name_lines.h"
#include "frontend/keras/read_model.h"
#include "frontend/keras/training_config.h"

namespace tilewise {
namespace {

using nlohmann::json;

// The members that hold a model in files of other tools: TensorFlow.js, HDF5
// attributes written as JSON.
const json* FindModel(const json& root) {
  const json* at = &root;
  for (const char* wrapper : {"modelTopology", "model_config"}) {
    if (!IsModelEntry(*at) && at->is_object() && at->contains(wrapper)) {
      at = &(*at)[wrapper];
    }
  }
  return IsModelEntry(*at) ? at : nullptr;
}

absl::Status NotAModel(const json& root) {
  if (!root.is_object()) {
    return InvalidInput(
        fmt::format("found {}, expected a Keras model as an object with class_name and "
                    "config",
                    DescribeJson(root)));
  }
  const json* entry = &root;
  for (const char* wrapper : {"modelTopology", "model_config"}) {
    if (entry->is_object() && entry->contains(wrapper)) {
      entry = &(*entry)[wrapper];
    }
  }
  const auto name = entry->is_object() ? entry->find("class_name") : entry->end();
  if (!entry->is_object() || name == entry->end() || !name->is_string()) {
    return InvalidInput(
        "class_name is missing, expected a Keras model with class_name "
        "Sequential, Functional or Model");
  }
  return InvalidInput(
      fmt::format("class_name is \"{}\" without layers, expected Sequential, Functional or "
                  "Model; of a class of your own the file holds no layers: "
                  "tf.saved_model.save(model, 'DIR') writes what it computes",
                  name->get<std::string>().substr(0, 60)));
}

void TakeTraining(const json& root, const std::string& path, Workload& workload) {
  if (!root.is_object()) return;
  const json* config = nullptr;
  for (const char* key : {"compile_config", "training_config"}) {
    if (root.contains(key) && root[key].is_object()) config = &root[key];
  }
  if (config == nullptr && root.contains("optimizer")) config = &root;
  if (config == nullptr) return;
  workload.training = ReadTrainingConfig(*config);
  workload.training->location.file = path;
  const auto steps = config->find("steps_per_execution");
  if (steps == config->end()) return;
  const auto count = AsInteger(*steps);
  if (!count || *count < 1) return;
  workload.host_loop.steps_per_execution = {Count::Kind::kValue, *count};
  workload.host_loop.steps_per_execution_location.file = path;
}

// The version that wrote the file, wherever this version of Keras puts it.
std::string Producer(const json& root) {
  const json* at = &root;
  for (const char* wrapper : {"", "modelTopology"}) {
    if (*wrapper != '\0') {
      if (!root.is_object() || !root.contains(wrapper)) return "";
      at = &root[wrapper];
    }
    if (!at->is_object()) continue;
    const auto version = at->find("keras_version");
    if (version != at->end() && version->is_string()) {
      return "keras " + version->get<std::string>().substr(0, 40);
    }
  }
  return "";
}

void CountLayers(const KerasModel& model, std::map<std::string, int64_t>& counts) {
  for (const KerasLayer& layer : model.layers) {
    ++counts[ClassInFile(layer)];
    if (layer.nested) CountLayers(*layer.nested, counts);
  }
}

}  // namespace

absl::StatusOr<Workload> WorkloadOfKeras(const KerasFile& file) {
  const json* entry = FindModel(file.root);
  if (entry == nullptr) return Annotate(NotAModel(file.root), file.path);
  const ModelSource source = {file.path, FindNameLines(file.text),
                              HasChannelsFirstOrdering(*entry)};
  TW_ASSIGN_OR_RETURN(const KerasModel model, ReadKerasModel(*entry, source));
  TW_ASSIGN_OR_RETURN(KerasGraph built, BuildKerasGraph(model, file.training));
  Workload workload;
  workload.name = file.path;
  workload.graph = std::move(built.graph);
  workload.producer = Producer(file.root);
  CountLayers(model, workload.source_ops);
  workload.layers = built.layers;
  workload.opaque_layers = std::move(built.opaque);
  workload.notes = std::move(built.notes);
  workload.module.unknown_dims = std::move(built.unknown_dims);
  TakeTraining(file.root, file.path, workload);
  workload.files.push_back({file.path, std::string(file.text), {}});
  return workload;
}

}  // namespace tilewise
