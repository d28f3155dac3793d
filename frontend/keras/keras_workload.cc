// Unwraps the model from what stands around it, builds its graph,
// and takes optimizer and loss when the file has them.

#include "frontend/keras/keras_workload.h"

#include <algorithm>
#include <cctype>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "frontend/keras/bounded_json.h"
#include "frontend/keras/keras_model.h"
#include "frontend/keras/layer_config.h"
#include "frontend/keras/read_model.h"

namespace tilewise {
namespace {

using nlohmann::json;

// Returns which line of a model file names a layer. The JSON parser keeps no
// positions, so the text is searched for "name": "conv1". It is the line of the
// first "name" member with each value; empty when the whole text is one line,
// which would say nothing.
std::map<std::string, int32_t, std::less<>> FindNameLines(std::string_view text) {
  constexpr std::string_view kKey = "\"name\"";
  std::map<std::string, int32_t, std::less<>> lines;
  if (std::count(text.begin(), text.end(), '\n') < 2) return lines;
  int32_t line = 1;
  size_t counted = 0;
  for (size_t at = text.find(kKey); at != std::string_view::npos;
       at = text.find(kKey, at + kKey.size())) {
    line += static_cast<int32_t>(std::count(text.begin() + static_cast<std::ptrdiff_t>(counted),
                                            text.begin() + static_cast<std::ptrdiff_t>(at), '\n'));
    counted = at;
    const size_t open = text.find_first_not_of(" \t\r\n:", at + kKey.size());
    if (open == std::string_view::npos || text[open] != '"') continue;
    const size_t close = text.find('"', open + 1);
    if (close == std::string_view::npos) break;
    lines.try_emplace(std::string(text.substr(open + 1, close - open - 1)), line);
  }
  return lines;
}

// Letters and digits in lower case: "SparseCategoricalCrossentropy" and
// "sparse_categorical_crossentropy" become one.
std::string Folded(const std::string& name) {
  std::string result;
  for (const char c : name) {
    if (std::isalnum(static_cast<unsigned char>(c)) != 0) {
      result += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    }
  }
  return result;
}

// The object's name under any of its spellings, and its settings.
std::string NameOf(const json& value, json& settings) {
  if (value.is_string()) return Folded(value.get<std::string>());
  if (!value.is_object()) return "";
  for (const char* key : {"class_name", "name"}) {
    const auto found = value.find(key);
    if (found == value.end() || !found->is_string()) continue;
    const auto config = value.find("config");
    settings = config != value.end() && config->is_object() ? *config : value;
    return Folded(found->get<std::string>());
  }
  return "";
}

double NumberOr(const json& settings, const char* key, double fallback) {
  const json* found = MemberOf(settings, key);
  return found == nullptr || !found->is_number() ? fallback : found->get<double>();
}

void ReadOptimizer(const json& value, TrainingSpec& spec) {
  json settings;
  const std::string name = NameOf(value, settings);
  if (const auto kind = ParseOptimizer(name)) {
    spec.optimizer = *kind;
    spec.optimizer_known = true;
  }
  const bool momentum = NumberOr(settings, "momentum", 0) > 0;
  if (momentum && spec.optimizer_known) {
    if (spec.optimizer == OptimizerKind::kSgd) {
      spec.optimizer = OptimizerKind::kMomentum;
    } else if (spec.optimizer == OptimizerKind::kRmsProp) {
      spec.optimizer = OptimizerKind::kRmsPropMomentum;
    }
  }
  const double rate = NumberOr(settings, "learning_rate", NumberOr(settings, "lr", -1));
  if (rate >= 0) spec.learning_rate = rate;
}

void ReadLoss(const json& value, TrainingSpec& spec) {
  json settings;
  const std::string name = NameOf(value, settings);
  spec.loss_known = true;
  if (name.starts_with("sparsecategoricalcrossentropy")) {
    spec.sparse_labels = true;
  } else if (name == "binarycrossentropy") {
    spec.loss = LossKind::kBinaryCrossEntropy;
  } else if (name == "mse" || name == "meansquarederror") {
    spec.loss = LossKind::kMeanSquaredError;
  } else if (name != "categoricalcrossentropy") {
    spec.loss_known = false;
  }
  if (settings.is_object() && settings.contains("from_logits")) {
    spec.from_logits = settings["from_logits"] == true;
  }
}

// What stands in "training_config" or "compile_config" (or, in Keras 1, at the
// top level). Names that are not known leave the default and its _known flag
// false; so do forms that cannot be read.
TrainingSpec ReadTrainingConfig(const json& config) {
  TrainingSpec spec;
  if (!config.is_object()) return spec;
  for (const char* key : {"optimizer_config", "optimizer"}) {
    if (!config.contains(key)) continue;
    ReadOptimizer(config[key], spec);
    break;
  }
  if (config.contains("loss")) ReadLoss(config["loss"], spec);
  return spec;
}

// What is inside of the members that hold a model in files of other tools:
// TensorFlow.js, HDF5 attributes written as JSON.
const json& Unwrapped(const json& root) {
  const json* at = &root;
  for (const char* wrapper : {"modelTopology", "model_config"}) {
    const json* inside = IsModelEntry(*at) ? nullptr : MemberOf(*at, wrapper);
    if (inside != nullptr) at = inside;
  }
  return *at;
}

absl::Status NotAModel(const json& root) {
  if (!root.is_object()) {
    return InvalidInput(
        fmt::format("found {}, expected a Keras model as an object with class_name and config",
                    DescribeJson(root)));
  }
  const json* name = MemberOf(Unwrapped(root), "class_name");
  if (name == nullptr || !name->is_string()) {
    return InvalidInput(
        "class_name is missing, expected a Keras model with class_name Sequential, Functional or "
        "Model");
  }
  return InvalidInput(
      fmt::format("class_name is \"{}\" without layers, expected Sequential, Functional or Model; "
                  "of a class of your own the file holds no layers: tf.saved_model.save(model, "
                  "'DIR') writes what it computes",
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
  const json* steps = MemberOf(*config, "steps_per_execution");
  const auto count = steps == nullptr ? std::nullopt : AsInteger(*steps);
  if (!count || *count < 1) return;
  workload.host_loop.steps_per_execution = {Count::Kind::kValue, *count};
  workload.host_loop.steps_per_execution_location.file = path;
}

// The tool that converted the file for another use: "TensorFlow.js Converter v1.4.0".
std::string Converter(const json& root) {
  const json* by = MemberOf(root, "convertedBy");
  return by == nullptr || !by->is_string() ? "" : ", " + by->get<std::string>().substr(0, 40);
}

// The version that wrote the file, wherever this version of Keras puts it.
std::string Producer(const json& root) {
  const json* topology = MemberOf(root, "modelTopology");
  for (const json* at : {&root, topology}) {
    const json* version = at == nullptr ? nullptr : MemberOf(*at, "keras_version");
    if (version != nullptr && version->is_string()) {
      return "keras " + version->get<std::string>().substr(0, 40) + Converter(root);
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
  const json& entry = Unwrapped(file.root);
  if (!IsModelEntry(entry)) return Annotate(NotAModel(file.root), file.path);
  const ModelSource source = {file.path, FindNameLines(file.text), HasChannelsFirstOrdering(entry)};
  TW_ASSIGN_OR_RETURN(const KerasModel model, ReadKerasModel(entry, source));
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
