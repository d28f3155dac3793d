// Joins the calls of a source with the ops of the model. What a reader cannot
// cost becomes an opaque op, which still has its operands and so their shapes:
// at the location of the call itself, or labelled with the layer class that the
// call is part of.

#include "rules/operators/source.h"

#include <algorithm>

#include <fmt/format.h>

#include "workload/blocks.h"
#include "workload/cpp_path.h"

namespace tilewise {
namespace {

constexpr std::string_view kPrefixes[] = {"tensorflow.compat.v1.", "tensorflow.compat.v2.",
                                          "tensorflow.", "tf."};
constexpr std::string_view kStepWords[] = {"step", "loss", "forward"};

constexpr std::string_view kWarps[] = {"RandomRotation",    "RandomZoom",
                                       "RandomTranslation", "RandomShear",
                                       "RandomPerspective", "RandomElasticTransform",
                                       "RandomAffine",      "ElasticTransform",
                                       "RandomHeight",      "RandomWidth"};

// Whether the call works on what the layer class around it is called with.
bool WorksOnLayerInput(const SourceCall& call) {
  const bool called = call.function == "call" || call.function == "__call__";
  return called && !call.class_name.empty() && !call.arguments.empty() &&
         call.arguments[0].of_parameter;
}

// x for tf.shape(x), which asks for the shape that is wanted here.
const Op& Measured(const Graph& graph, const Op& op) {
  const bool is_shape =
      op.kind == OpKind::kOpaque && !op.operands.empty() && op.name.starts_with("tf.shape");
  return is_shape ? graph.operand(op, 0) : op;
}

// Op ids are those of the graph that was read, so they are bounded by it.
OpId EndOf(const Facts& facts, const SourceOp& op) {
  return std::min(op.end, OpId(facts.source->size()));
}

}  // namespace

bool IsCallOf(const SourceCall& call, std::string_view name) {
  std::string_view written = call.name;
  for (const std::string_view prefix : kPrefixes) {
    if (!written.starts_with(prefix)) continue;
    written.remove_prefix(prefix.size());
    return written == name;
  }
  return false;
}

bool IsCallOfOne(const SourceCall& call, std::span<const std::string_view> names) {
  return std::ranges::any_of(names, [&](std::string_view name) { return IsCallOf(call, name); });
}

bool RunsInStep(const Facts& facts, const SourceCall& call) {
  if (call.in_dataset_function) return false;
  // Ops that C++ builds are run by a session or as a program.
  const bool builds = call.name.starts_with("tensorflow.") || call.name.starts_with("xla.");
  if (builds && IsCppPath(call.location.file)) return true;
  std::string_view function = call.function;
  const size_t dot = function.rfind('.');
  if (dot != std::string_view::npos) function.remove_prefix(dot + 1);
  if (function == "call" || function == "__call__") return true;
  for (const std::string_view word : kStepWords) {
    if (function.find(word) != std::string_view::npos) return true;
  }
  return facts.source != nullptr &&
         std::ranges::any_of(facts.source->ops(), [&](const Op& op) { return IsOpOf(op, call); });
}

bool IsWarpOfImages(const SourceCall& call) {
  const bool layer = call.name.starts_with("tensorflow.keras.layers.") ||
                     call.name.starts_with("keras_cv.layers.");
  return layer && IsOneOf(LastName(call.name), kWarps);
}

bool IsOpOf(const Op& op, const SourceCall& call) {
  const Location& a = op.location;
  const Location& b = call.location;
  return a.known() && a.line > 0 && a.file == b.file && a.cell == b.cell && a.line == b.line &&
         a.column == b.column;
}

bool IsFollowed(const Facts& facts, const SourceCall& call) {
  return facts.source != nullptr && std::ranges::any_of(facts.source->ops(), [&](const Op& op) {
           return op.kind != OpKind::kOpaque && IsOpOf(op, call);
         });
}

std::string CallerOf(const SourceCall& call) {
  return call.function.empty() ? "the model" : call.function + "()";
}

std::vector<Shape> OperandShapes(const Facts& facts, const SourceCall& call) {
  std::vector<Shape> shapes;
  if (facts.source == nullptr) return shapes;
  const bool of_layer = WorksOnLayerInput(call);
  for (const Op& op : facts.source->ops()) {
    if (op.kind != OpKind::kOpaque || op.operands.empty()) continue;
    const bool is_layer = of_layer && op.as<OpaqueAttrs>().label == call.class_name;
    if (!is_layer && !IsOpOf(op, call)) continue;
    const Op& operand = Measured(*facts.source, facts.source->operand(op, 0));
    if (operand.kind == OpKind::kOpaque) return {};
    shapes.push_back(operand.shape);
  }
  return shapes;
}

std::vector<Shape> AskedShapes(const Facts& facts, const SourceCall& call) {
  const std::vector<int64_t> sizes = LiteralArgument(call, 0, "shape");
  if (sizes.empty()) return OperandShapes(facts, call);
  for (const int64_t size : sizes) {
    if (size < 1) return {};
  }
  return {Shape::Of(DType::kF32, sizes)};
}

std::vector<int64_t> LiteralArgument(const SourceCall& call, size_t position,
                                     std::string_view keyword) {
  const SourceArgument* argument = ArgumentOf(call, position, keyword);
  return argument == nullptr ? std::vector<int64_t>{} : argument->integers;
}

std::string WhyNoShape(const Facts& facts, std::string_view what) {
  if (facts.model == nullptr) {
    return "no model was read, so there is no step to simulate";
  }
  return fmt::format("the files do not say the shape of {}", what);
}

Cost CostOfCall(const Facts& facts, std::optional<Seconds> time, std::string_view what) {
  if (time) return DeviceCost(facts, *time);
  Cost cost;
  cost.unknown = WhyNoShape(facts, what);
  return cost;
}

Seconds TimeOfSource(const Facts& facts, const SourceOp& op) {
  Seconds total;
  if (facts.source == nullptr) return total;
  for (OpId id = op.first; id < EndOf(facts, op); ++id) {
    total += facts.TimeOf(id);
  }
  return total;
}

OpId ResultOfSource(const Facts& facts, const SourceOp& op) {
  if (facts.source == nullptr) return kNoOp;
  const OpId end = EndOf(facts, op);
  return op.first < end ? end - 1 : kNoOp;
}

std::string NameOfSource(const SourceOp& op) {
  if (op.location.item.empty() || op.location.item == op.kind) return op.kind;
  return fmt::format("{} ({})", op.kind, op.location.item);
}

std::vector<bool> ComputedFrom(const Facts& facts, OpTrait trait) {
  std::vector<bool> from(facts.source->size(), false);
  for (const SourceOp& op : facts.workload.module.ops) {
    if (op.trait != trait) continue;
    for (OpId id = op.first; id < EndOf(facts, op); ++id) {
      from[id] = true;
    }
  }
  for (const Op& op : facts.source->ops()) {
    const bool reached =
        std::ranges::any_of(op.operands, [&from](OpId operand) { return from[operand]; });
    if (reached) from[op.id] = true;
  }
  return from;
}

}  // namespace tilewise
