// KerasModel -> Graph: gives each call of a layer its function, in the order of
// the calls, and follows nested models into their layers.

#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "frontend/keras/call_order.h"
#include "frontend/keras/keras_model.h"
#include "frontend/keras/layer_context.h"
#include "frontend/keras/model_input.h"

namespace tilewise {
namespace {

// Bounds models that call nested models that call nested models...
constexpr int64_t kMaxCalls = 100'000;

// These say why layers cannot be built.
using FailedLayers = std::map<const KerasLayer*, std::string>;

struct Shared {
  GraphBuilder& builder;
  KerasGraph& record;
  bool training;
  const FailedLayers& failed;
  int64_t calls = 0;
  Location place = {};                   // of the layer at hand
  const KerasLayer* building = nullptr;  // whose function is at work
};

// One model; it keeps the weights of its layers between its own calls.
class ModelBuilder {
 public:
  ModelBuilder(const KerasModel& model, std::string scope, Shared& shared)
      : model_(model),
        scope_(std::move(scope)),
        shared_(shared),
        states_(model.layers.size()),
        nested_(model.layers.size()) {}

  // Checks references and orders the calls; once, before Call.
  absl::Status Prepare();
  // The model's results for these operands, one per entry of model.inputs.
  // None: the model is the outermost one and makes its own parameters.
  std::vector<OpId> Call(const std::vector<OpId>& operands);

 private:
  OpId ValueOf(const KerasTensor& tensor);
  OpId MakeParameter(const KerasLayer& layer);
  std::vector<OpId> RunStep(const LayerStep& step);
  std::vector<OpId> RunLayer(const LayerStep& step, std::vector<OpId> inputs);
  void Enter(const KerasLayer& layer, const KerasCall& call);

  const KerasModel& model_;
  const std::string scope_;
  Shared& shared_;
  std::vector<LayerState> states_;
  std::vector<std::unique_ptr<ModelBuilder>> nested_;
  std::vector<LayerStep> order_;
  std::vector<std::vector<std::vector<OpId>>> values_;  // layer, call, output
};

absl::Status ModelBuilder::Prepare() {
  if (model_.layers.empty()) {
    return InvalidInput(fmt::format("model {} has no layers, expected one or more", model_.name));
  }
  TW_ASSIGN_OR_RETURN(order_, OrderLayerSteps(model_));
  for (size_t i = 0; i < model_.layers.size(); ++i) {
    const KerasLayer& layer = model_.layers[i];
    if (!IsInputLayer(layer) && !layer.nested) ++shared_.record.layers;
    if (!layer.nested) continue;
    nested_[i] = std::make_unique<ModelBuilder>(*layer.nested, scope_ + layer.name + "/", shared_);
    TW_RETURN_IF_ERROR(nested_[i]->Prepare());
  }
  return absl::OkStatus();
}

OpId ModelBuilder::ValueOf(const KerasTensor& tensor) {
  const std::vector<OpId>& results = values_[tensor.layer][tensor.call];
  const size_t output = tensor.output;
  if (output < results.size()) return results[output];
  shared_.builder.Fail(fmt::format("takes result {} of layer {}, which has {}", tensor.output,
                                   model_.layers[tensor.layer].name, results.size()));
  return kNoOp;
}

void ModelBuilder::Enter(const KerasLayer& layer, const KerasCall& call) {
  Location place = call.location.known() ? call.location : layer.location;
  if (place.item.empty()) place.item = layer.name;
  shared_.builder.SetLocation(place);
  shared_.place = place;
  shared_.builder.SetScope(scope_ + layer.name);
}

OpId ModelBuilder::MakeParameter(const KerasLayer& layer) {
  Enter(layer, {});
  const absl::StatusOr<ModelInput> input = ReadModelInput(layer, model_);
  if (!input.ok()) {
    shared_.builder.Fail(Message(input.status()));
    return kNoOp;
  }
  if (!input->assumed.empty()) {
    Diagnostic note;
    note.rule = "RD002";
    note.name = "cannot-resolve";
    note.location = LayerLocation(layer);
    note.message = fmt::format("input {} leaves sizes open; all results assume {}", layer.name,
                               input->assumed);
    shared_.record.notes.push_back(std::move(note));
  }
  shared_.builder.SetScope("");
  const OpId parameter = shared_.builder.Parameter(input->shape, layer.name);
  for (const int64_t dim : input->assumed_dims) {
    shared_.record.unknown_dims.push_back({parameter, dim, input->shape.dims[dim].factor, false});
  }
  return parameter;
}

std::vector<OpId> ModelBuilder::RunLayer(const LayerStep& step, std::vector<OpId> inputs) {
  const KerasLayer& layer = model_.layers[step.layer];
  ModelBuilder* nested = nested_[step.layer].get();
  if (nested != nullptr && inputs.empty()) {
    shared_.builder.Fail("model is called without inputs");
    return {};
  }
  if (nested != nullptr && layer.class_name != "TimeDistributed") {
    return nested->Call(inputs);
  }
  LayerContext context{.layer = layer,
                       .call = layer.calls[step.call],
                       .config = LayerConfig(layer.config, shared_.builder),
                       .builder = shared_.builder,
                       .inputs = std::move(inputs),
                       .training = shared_.training,
                       .state = states_[step.layer],
                       .variable_prefix = {},
                       .record = shared_.record,
                       .more_outputs = {},
                       .stated = nullptr,
                       .nested = {}};
  const auto stated = layer.stated.find(static_cast<int32_t>(step.call));
  if (stated != layer.stated.end()) context.stated = &stated->second;
  if (nested != nullptr) {
    context.nested = [nested](std::vector<OpId> operands) { return nested->Call(operands); };
  }
  const auto failed = shared_.failed.find(&layer);
  if (failed != shared_.failed.end()) {
    return StandInResults(context, failed->second);
  }
  const KerasLayer* const around = shared_.building;
  shared_.building = &layer;
  ApplyDTypePolicy(context);
  std::vector<OpId> results = {BuildLayer(context)};
  results.insert(results.end(), context.more_outputs.begin(), context.more_outputs.end());
  if (shared_.builder.ok()) shared_.building = around;
  return results;
}

std::vector<OpId> ModelBuilder::RunStep(const LayerStep& step) {
  const KerasLayer& layer = model_.layers[step.layer];
  const KerasCall& call = layer.calls[step.call];
  Enter(layer, call);
  if (++shared_.calls > kMaxCalls) {
    shared_.builder.Fail(
        fmt::format("model has more than {} layer calls, expected fewer", kMaxCalls));
  }
  std::vector<OpId> inputs;
  for (const KerasTensor& tensor : call.inputs) {
    inputs.push_back(ValueOf(tensor));
  }
  if (!shared_.builder.ok()) return {};
  return RunLayer(step, std::move(inputs));
}

std::vector<OpId> ModelBuilder::Call(const std::vector<OpId>& operands) {
  if (!operands.empty() && operands.size() != model_.inputs.size()) {
    shared_.builder.Fail(fmt::format("model {} is called with {} inputs, expected {}", model_.name,
                                     operands.size(), model_.inputs.size()));
    return {};
  }
  values_.assign(model_.layers.size(), {});
  for (size_t i = 0; i < model_.layers.size(); ++i) {
    values_[i].resize(CallCount(model_.layers[i]));
  }
  for (size_t i = 0; i < operands.size(); ++i) {
    values_[model_.inputs[i].layer][0] = {operands[i]};
  }
  for (const LayerStep& step : order_) {
    if (!shared_.builder.ok()) return {};
    std::vector<OpId>& results = values_[step.layer][step.call];
    const KerasLayer& layer = model_.layers[step.layer];
    if (!results.empty()) continue;
    results = IsInputLayer(layer) ? std::vector<OpId>{MakeParameter(layer)} : RunStep(step);
  }
  std::vector<OpId> results;
  for (const KerasTensor& tensor : model_.outputs) {
    if (!shared_.builder.ok()) return {};
    results.push_back(ValueOf(tensor));
  }
  return results;
}

// The error that a builder recorded, without the location, which it names as a
// location: that leaves the layer out when there is a line.
std::string CauseOf(const absl::Status& status, const Location& place) {
  std::string message = Message(status);
  const std::string prefix = FormatLocation(place) + ": ";
  return message.starts_with(prefix) ? message.substr(prefix.size()) : message;
}

// One try; `failed` gets the layer that it ended at, if it was one, and `work`
// grows by what was looked at.
absl::StatusOr<KerasGraph> TryToBuild(const KerasModel& model, bool training, FailedLayers& failed,
                                      int64_t& work) {
  KerasGraph result;
  GraphBuilder builder(model.name);
  Shared shared{builder, result, training, failed};
  ModelBuilder outermost(model, "", shared);
  TW_RETURN_IF_ERROR(outermost.Prepare());
  const std::vector<OpId> outputs = outermost.Call({});
  work += static_cast<int64_t>(model.layers.size()) + shared.calls;
  if (builder.ok() && outputs.empty()) {
    builder.Fail("model has no outputs, expected one or more");
  }
  if (!builder.ok()) {
    const std::string cause = CauseOf(builder.status(), shared.place);
    if (shared.building != nullptr) failed.emplace(shared.building, cause);
    return shared.place.item.empty() || cause == Message(builder.status())
               ? builder.status()
               : Annotate(InvalidInput(cause), LocationText(shared.place));
  }
  for (const OpId output : outputs) {
    builder.AddOutput(output, Output::Role::kResult);
  }
  TW_ASSIGN_OR_RETURN(result.graph, builder.Build());
  return result;
}

}  // namespace

// A builder's errors stick: where a layer fails, all is built once more without
// it, as often as the work of all tries together allows.
absl::StatusOr<KerasGraph> BuildKerasGraph(const KerasModel& model, bool training) {
  FailedLayers failed;
  int64_t work = 0;
  while (true) {
    const size_t known = failed.size();
    absl::StatusOr<KerasGraph> built = TryToBuild(model, training, failed, work);
    const bool last = failed.size() == known || work > kMaxCalls;
    if (built.ok() || last) return built;
  }
}

}  // namespace tilewise
