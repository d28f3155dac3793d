// Unwraps the model from what stands around it, builds its graph for training,
// and takes optimizer and loss when the file has them.

#include "frontend/keras/read_json.h"

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
    return InvalidInput(fmt::format(
        "found {}, expected a Keras model as an object with class_name and "
        "config",
        DescribeJson(root)));
  }
  // Nodes of a TensorFlow graph, not layers: tfjs calls it a graph model.
  const auto topology = root.find("modelTopology");
  const bool graph = topology != root.end() && topology->is_object() &&
                     topology->contains("node");
  if (graph || root.value("format", json()) == "graph-model") {
    return InvalidInput(
        "found a TensorFlow.js graph model, expected one of format "
        "\"layers-model\" or the model as model.to_json() writes it");
  }
  const auto name = root.find("class_name");
  if (name == root.end() || !name->is_string()) {
    return InvalidInput(
        "class_name is missing, expected a Keras model with class_name "
        "Sequential, Functional or Model");
  }
  return InvalidInput(
      fmt::format("class_name is \"{}\" without layers, expected Sequential, "
                  "Functional or Model",
                  name->get<std::string>().substr(0, 60)));
}

void TakeTraining(const json& root, const std::string& path,
                  Workload& workload) {
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

}  // namespace

bool LooksLikeKerasJson(std::string_view path, std::string_view text) {
  const size_t first = text.find_first_not_of(" \t\r\n\xef\xbb\xbf");
  if (first == std::string_view::npos || path.ends_with(".ipynb")) return false;
  const char c = text[first];
  if (path.ends_with(".json") && (c == '{' || c == '[')) return true;
  return c == '{' && text.find("\"class_name\"") != std::string_view::npos;
}

absl::StatusOr<Workload> ReadKerasJson(const std::string& path,
                                       const std::string& text,
                                       const LoadOptions&) {
  const absl::StatusOr<json> root = ParseBoundedJson(text);
  if (!root.ok()) return Annotate(root.status(), path);
  const json* entry = FindModel(*root);
  if (entry == nullptr) return Annotate(NotAModel(*root), path);
  const ModelSource source = {path, FindNameLines(text),
                              HasChannelsFirstOrdering(*entry)};
  TW_ASSIGN_OR_RETURN(const KerasModel model, ReadKerasModel(*entry, source));
  TW_ASSIGN_OR_RETURN(KerasGraph built, BuildKerasGraph(model, true));
  Workload workload;
  workload.name = path;
  workload.graph = std::move(built.graph);
  workload.layers = built.layers;
  workload.opaque_layers = std::move(built.opaque);
  workload.notes = std::move(built.notes);
  TakeTraining(*root, path, workload);
  workload.files.push_back({path, text, {}});
  return workload;
}

}  // namespace tilewise
