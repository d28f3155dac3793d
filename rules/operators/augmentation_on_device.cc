// Flags layers of a model that augment images on the device.

#include <algorithm>

#include <fmt/format.h>

#include "rules/operators/source.h"
#include "rules/rule.h"
#include "workload/blocks.h"

namespace tilewise::OP012 {
namespace {

constexpr RuleInfo kInfo = {
    .id = "OP012",
    .name = "augmentation-on-device",
    .fix = Applicability::kShow,
    .needs = {.training = true, .script = true},
    .summary = "images are warped by layers of the model",
    .no_saving = "what the layer would take on the host is not known",
    .doc = R"(
What: RandomRotation, RandomZoom, RandomTranslation, RandomHeight and the like
as layers of the model that is trained.
Why: a warp gathers every pixel from an address of its own, which the vector unit
does nearly one by one; the matrix units wait. The host is idle meanwhile.
Remedy: map the layers over the data set (tf.data), or apply them on the host.
Ignore: flips and crops of whole rows, which are cheap.
Numbers: with the layer's ops in the model, their simulated time per step.
Sources: keras#23229.)",
};

// What the layer, or the Sequential around it, is bound to.
std::string BoundTo(const SourceFacts& source, const SourceCall& layer) {
  const SourceCall* at = &layer;
  for (int i = 0; i < 8; ++i) {
    if (!at->results.empty()) return at->results.front();
    if (at->outer < 0) break;
    at = &source.calls[at->outer];
  }
  return "";
}

// The layers are a stack of their own that data sets are mapped with.
bool PreparesData(const SourceFacts& source, const std::string& name) {
  if (name.empty()) return false;
  return std::ranges::any_of(source.calls, [&](const SourceCall& call) {
    const bool here = call.name == name || call.receiver == name;
    if (here && call.in_dataset_function) return true;
    // ds.map(augmentation)
    return LastName(call.name) == "map" && !call.arguments.empty() &&
           Contains(call.arguments.front().text, name);
  });
}

bool HasWeights(const SourceCall& call) {
  const std::string_view name = LastName(call.name);
  return name == "Dense" || name.starts_with("Conv") || name.starts_with("BatchNorm") ||
         Contains(call.name, "applications.");
}

// The stack has layers with weights as well, or is called on what the model
// takes.
bool IsInModel(const SourceFacts& source, const SourceCall& layer, const std::string& name) {
  for (int32_t at = layer.outer; at >= 0; at = source.calls[at].outer) {
    if (std::ranges::any_of(source.calls, [&](const SourceCall& call) {
          return call.outer == at && HasWeights(call);
        })) {
      return true;
    }
  }
  if (name.empty()) return layer.outer < 0;
  return std::ranges::any_of(source.calls, [&](const SourceCall& call) {
    if (call.in_dataset_function) return false;
    if (call.name == name && !call.arguments.empty()) return true;
    // Sequential([augmentation, ...]), model.add(augmentation)
    if (LastName(call.name) != "Sequential" && LastName(call.name) != "add") {
      return false;
    }
    return std::ranges::any_of(call.arguments, [&](const SourceArgument& argument) {
      return IsOneOf(name, argument.names);
    });
  });
}

// The ops of the layer in a step; zero: it is not lowered.
Seconds TimeOfLayer(const Facts& facts, const SourceCall& layer) {
  Seconds time;
  if (facts.model == nullptr) return time;
  for (OpId op = 0; op < facts.source->size(); ++op) {
    if (IsOpOf(facts.source->op(op), layer)) time += facts.TimeOf(op);
  }
  return time;
}

// The layers of one model that warp images, in order: one cause.
struct Warps {
  const SourceCall* first = nullptr;
  std::string names = {};
  Seconds time = {};
};

void Report(const Facts& facts, const Warps& warps, Sink& sink) {
  const bool several = Contains(warps.names, ",");
  Finding& found =
      sink.Report(warps.first->location,
                  "{} {} of the model, so that the device gathers every pixel of "
                  "every image; expected {} in the input pipeline",
                  warps.names, several ? "are layers" : "is a layer", several ? "them" : "it");
  if (warps.time > Seconds{}) {
    found.cost = DeviceCost(facts, warps.time);
  } else {
    found.cost.unknown = "the layer is not lowered: its gathers are not in the model";
  }
  found.fix.text = fmt::format("apply {} in Dataset.map() on the host", warps.names);
}

void Check(const Facts& facts, Sink& sink) {
  const SourceFacts& source = facts.workload.facts;
  const bool for_tpus = source.tpu_strategy || facts.workload.host_loop.uses_tpu_strategy;
  Warps warps;
  for (const SourceCall& call : source.calls) {
    if (!IsWarpOfImages(call) || call.in_dataset_function) continue;
    const std::string name = BoundTo(source, call);
    if (PreparesData(source, name) || !IsInModel(source, call, name)) continue;
    const Seconds time = TimeOfLayer(facts, call);
    if (!for_tpus && time <= Seconds{}) continue;
    if (warps.first == nullptr) warps.first = &call;
    if (!warps.names.empty()) warps.names += ", ";
    warps.names += LastName(call.name);
    warps.time += time;
  }
  if (warps.first != nullptr) Report(facts, warps, sink);
}

}  // namespace

TW_RULE(OP012)

}  // namespace tilewise::OP012
