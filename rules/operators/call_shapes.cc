// Joins the calls of a source with the ops of the model. What a reader cannot
// cost becomes an opaque op, which still has its operands and so their shapes:
// at the place of the call itself, or labelled with the layer class that the
// call is part of.

#include "rules/operators/call_shapes.h"

#include <fmt/format.h>

#include "rules/operators/source_calls.h"

namespace tilewise {
namespace {

const SourceArgument* GivenArgument(const SourceCall& call, size_t position,
                                    std::string_view keyword) {
  for (size_t i = 0; i < call.arguments.size(); ++i) {
    const SourceArgument& argument = call.arguments[i];
    const bool named = !argument.keyword.empty();
    if (named ? argument.keyword == keyword : i == position) return &argument;
  }
  return nullptr;
}

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

}  // namespace

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
  const SourceArgument* argument = GivenArgument(call, position, keyword);
  return argument == nullptr ? std::vector<int64_t>{} : argument->integers;
}

std::string WhyNoShape(const Facts& facts, std::string_view what) {
  if (facts.model == nullptr) {
    return "no model was read, so there is no step to simulate";
  }
  return fmt::format("the files do not say the shape of {}", what);
}

void SetDeviceCost(const Facts& facts, Seconds time, Cost& cost) {
  cost.time_per_step = time;
  if (facts.StepTime() > Seconds{}) {
    cost.share_of_step = time / facts.StepTime();
  }
}

}  // namespace tilewise
