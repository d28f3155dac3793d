// The table of zoo models, and the workload that a spec describes.

#include "zoo/zoo.h"

#include <algorithm>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "base/nearest_name.h"
#include "zoo/models.h"
#include "zoo/spec.h"

namespace tilewise {
namespace {

constexpr std::string_view kPrefix = "zoo:";

std::vector<ZooModel> SortedModels() {
  std::vector<ZooModel> models = {
#define TW_ZOO(name) name##Model(),
#include "zoo/zoo.def"
#undef TW_ZOO
  };
  std::sort(models.begin(), models.end(),
            [](const ZooModel& a, const ZooModel& b) { return a.name < b.name; });
  return models;
}

absl::StatusOr<const ZooModel*> FindModel(std::string_view name) {
  std::vector<std::string> known;
  for (const ZooModel& model : ZooModels()) {
    if (model.name == name) return &model;
    known.emplace_back(model.name);
  }
  return InvalidInput(fmt::format("found model '{}', expected {}{}", name.substr(0, 64),
                                  fmt::join(known, ", "), DidYouMean(name, known)));
}

// Layers are what ops are filed under.
int64_t CountLayers(const Graph& graph) {
  std::set<std::string_view> layers;
  for (const Op& op : graph.ops()) {
    if (!op.location.item.empty()) layers.insert(op.location.item);
  }
  return static_cast<int64_t>(layers.size());
}

TrainingSpec TrainingOf(const ZooModel& model) {
  TrainingSpec training;
  training.loss = model.loss;
  training.loss_known = true;
  training.sparse_labels = model.sparse_labels;
  training.from_logits = true;
  return training;
}

absl::StatusOr<Workload> Load(std::string_view text, bool training) {
  const size_t comma = std::min(text.find(','), text.size());
  TW_ASSIGN_OR_RETURN(const ZooModel* model, FindModel(text.substr(0, comma)));
  std::optional<std::string_view> arguments;
  if (comma < text.size()) arguments = text.substr(comma + 1);
  TW_ASSIGN_OR_RETURN(const ZooSpec spec, ZooSpec::Parse(*model, arguments, training));
  TW_ASSIGN_OR_RETURN(Graph graph, model->build(spec));
  Workload workload;
  workload.name = spec.text();
  workload.layers = CountLayers(graph);
  if (graph.trainable_parameters() > 0) workload.training = TrainingOf(*model);
  workload.graph = std::move(graph);
  return workload;
}

}  // namespace

std::span<const ZooModel> ZooModels() {
  static const std::vector<ZooModel> models = SortedModels();
  return models;
}

bool IsZooSpec(std::string_view text) { return text.starts_with(kPrefix); }

absl::StatusOr<Workload> LoadZoo(std::string_view spec, bool training) {
  if (!IsZooSpec(spec)) {
    return InvalidInput(fmt::format("found '{}', expected zoo:NAME,...", spec.substr(0, 64)));
  }
  absl::StatusOr<Workload> workload = Load(spec.substr(kPrefix.size()), training);
  if (!workload.ok()) {
    return Annotate(workload.status(), spec.substr(0, std::min(spec.find(','), size_t{64})));
  }
  return workload;
}

}  // namespace tilewise
