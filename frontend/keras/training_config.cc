// Reads optimizer and loss in the forms of Keras 1, 2 and 3.

#include "frontend/keras/training_config.h"

#include <algorithm>
#include <cctype>
#include <string>

namespace tilewise {
namespace {

using nlohmann::json;

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
  if (!settings.is_object()) return fallback;
  const auto found = settings.find(key);
  if (found == settings.end() || !found->is_number()) return fallback;
  return found->get<double>();
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

}  // namespace

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

}  // namespace tilewise
