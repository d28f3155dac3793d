// Loop and Scan. The body is in the graph once, its ops say how often they run;
// what is carried from iteration to iteration enters through a barrier.

#include <fmt/format.h>

#include "frontend/onnx/graph_reader.h"
#include "library/loop_values.h"
#include "library/trip_count.h"

namespace tilewise::onnx {
namespace {

// A larger count stands for "until the condition ends the loop".
constexpr int64_t kMostTrips = int64_t{1} << 40;
// Items of a sequence that grows in a loop.
constexpr int64_t kMaxItems = 4096;

const GraphView* BodyOf(const NodeView& node) {
  const AttributeView* attribute = node.Find("body");
  return attribute == nullptr ? nullptr : attribute->graph.get();
}

// A sequence that the body made longer, after all iterations.
Value Grown(const Value& before, const Value& after, int64_t trips) {
  if (after.kind != Value::Kind::kSequence || after.items()->empty()) {
    return after;
  }
  const size_t from = before.kind == Value::Kind::kSequence ? before.items()->size() : 0;
  std::vector<Value> items = *after.items();
  if (items.size() <= from) return after;
  const size_t added = items.size() - from;
  for (int64_t iteration = 1; iteration < trips && items.size() < kMaxItems; ++iteration) {
    for (size_t i = 0; i < added; ++i) items.push_back(items[from + i]);
  }
  return Value::Of(std::move(items));
}

int64_t At(const std::vector<int64_t>& list, size_t i) { return i < list.size() ? list[i] : 0; }

// The size of the dims that a scan runs along. Errors: one that depends on the
// batch, or is none.
absl::StatusOr<int64_t> ScannedSize(std::span<const std::optional<Shape>> scanned,
                                    const std::vector<int64_t>& axes) {
  int64_t size = 1;
  for (size_t i = 0; i < scanned.size(); ++i) {
    if (!scanned[i]) return InvalidInput("found a scan over what is no tensor");
    const Shape& shape = *scanned[i];
    int64_t axis = At(axes, i);
    if (axis < 0) axis += shape.rank();
    if (axis < 0 || axis >= shape.rank() || shape.dims[axis].per_batch) {
      return InvalidInput(
          fmt::format("found a scan over dim {} of {}, expected a dim that does not depend "
                      "on the batch",
                      axis, FormatShape(shape)));
    }
    size = shape.dims[axis].factor;
  }
  return size;
}

std::vector<int64_t> IntsOf(const NodeView& node, std::string_view name) {
  const AttributeView* attribute = node.Find(name);
  return attribute == nullptr ? std::vector<int64_t>() : attribute->ints;
}

}  // namespace

absl::StatusOr<OpId> GraphReader::Realized(const NodeScope& place, const Value& value) {
  if (value.op != kNoOp) return value.op;
  const NodeView node;
  const Frame frame;
  NodeContext ctx(node, 0, settings_.training, frame, builder_, weights_, place, {&value});
  const OpId made = ctx.Input(0);
  if (!builder_.ok()) return builder_.status();
  return made;
}

GraphReader::OpenLoop GraphReader::EnterLoop(const NodeView& node, const Frame& frame,
                                             int64_t trips) {
  OpenLoop loop;
  loop.place = LoopWithin(frame.loop, ++loops_, trips);
  Enter(builder_, ScopeOf(node, frame));
  loop.counter = LoopCounter(builder_, loop.place);
  builder_.SetLoop({});
  return loop;
}

absl::StatusOr<Value> GraphReader::Carried(const NodeView& node, const Frame& frame,
                                           const OpenLoop& loop, const Value& value) {
  if (value.kind == Value::Kind::kSequence) {
    std::vector<Value> items;
    for (const Value& item : *value.items()) {
      TW_ASSIGN_OR_RETURN(Value carried, Carried(node, frame, loop, item));
      items.push_back(std::move(carried));
    }
    return Value::Of(std::move(items));
  }
  if (!value.is_tensor()) return value;
  NodeScope place = ScopeOf(node, frame);
  TW_ASSIGN_OR_RETURN(const OpId id, Realized(place, value));
  place.loop = loop.place;
  Enter(builder_, place);
  const OpId carried = builder_.Barrier(id, {});
  if (!builder_.ok()) return builder_.status();
  return Value::Of(carried);
}

absl::StatusOr<Value> GraphReader::Stacked(const NodeView& node, const Frame& frame,
                                           const OpenLoop& loop, int64_t trips, const Value& row,
                                           int64_t axis) {
  if (!row.is_tensor()) return row;
  NodeScope place = ScopeOf(node, frame);
  TW_ASSIGN_OR_RETURN(const OpId id, Realized(place, row));
  Enter(builder_, place);
  const OpId written = StackedRows(builder_, id, axis, trips, loop.counter, loop.place);
  if (!builder_.ok()) return builder_.status();
  return Value::Of(written);
}

absl::StatusOr<Value> GraphReader::RowOf(const NodeView& node, const Frame& frame,
                                         const OpenLoop& loop, const Value& whole, int64_t axis) {
  NodeScope place = ScopeOf(node, frame);
  TW_ASSIGN_OR_RETURN(const OpId id, Realized(place, whole));
  place.loop = loop.place;
  Enter(builder_, place);
  const OpId row = RowAt(builder_, id, axis, loop.counter);
  if (!builder_.ok()) return builder_.status();
  return Value::Of(row);
}

// What is left out stays left out.
absl::Status GraphReader::AppendCarried(const NodeView& node, const Frame& frame,
                                        const OpenLoop& loop, std::span<const Value* const> carried,
                                        Values& operands) {
  for (const Value* value : carried) {
    if (value == nullptr) {
      operands.push_back(Value());
      continue;
    }
    TW_ASSIGN_OR_RETURN(Value inside, Carried(node, frame, loop, *value));
    operands.push_back(std::move(inside));
  }
  return absl::OkStatus();
}

int64_t GraphReader::IterationsOf(const NodeView& node, const Frame& frame, const Value* count) {
  std::optional<int64_t> trips;
  if (count != nullptr && count->known()) trips = KnownInteger(*count->known());
  // Results of all iterations say how many there are.
  for (size_t i = node.inputs.size() - 2; !trips && i < node.outputs.size(); ++i) {
    if (frame.stated == nullptr) break;
    const auto at = frame.stated->find(node.outputs[i]);
    if (at == frame.stated->end() || at->second->dims.empty()) continue;
    const DimView& rows = at->second->dims[0];
    if (rows.kind == DimView::Kind::kValue) trips = rows.value;
  }
  if (trips && *trips >= 1 && *trips <= kMostTrips) return *trips;
  Note("RD002", &node, "the trip count is not known, taken as 1");
  return 1;
}

GraphReader::MaybeValues GraphReader::ReadLoop(const NodeView& node, const Frame& frame,
                                               const std::vector<const Value*>& inputs) {
  const GraphView* body = BodyOf(node);
  if (body == nullptr || inputs.size() < 2 || body->inputs.size() < 2 || body->outputs.empty()) {
    return InvalidInput(
        fmt::format("node {}: found a Loop whose body is not one of a loop", node.name));
  }
  const int64_t trips = IterationsOf(node, frame, inputs[0]);
  const OpenLoop loop = EnterLoop(node, frame, trips);
  TW_ASSIGN_OR_RETURN(Value counter, Carried(node, frame, loop, Value::Of(KnownScalar(0))));
  Values operands = {std::move(counter), Value::Of(KnownScalar(1, DType::kPred))};
  TW_RETURN_IF_ERROR(AppendCarried(node, frame, loop, std::span(inputs).subspan(2), operands));
  TW_ASSIGN_OR_RETURN(Values outputs, ReadBody(node, *body, frame, loop.place, operands));
  outputs.erase(outputs.begin());
  const size_t carried_count = inputs.size() - 2;
  for (size_t i = 0; i < outputs.size(); ++i) {
    if (i < carried_count) {
      outputs[i] = Grown(operands[i + 2], outputs[i], trips);
      continue;
    }
    TW_ASSIGN_OR_RETURN(outputs[i], Stacked(node, frame, loop, trips, outputs[i], 0));
  }
  return outputs;
}

GraphReader::MaybeValues GraphReader::ReadScan(const NodeView& node, const Frame& frame,
                                               const std::vector<const Value*>& inputs) {
  const GraphView* body = BodyOf(node);
  const AttributeView* scanned = node.Find("num_scan_inputs");
  const auto total = static_cast<int64_t>(inputs.size());
  if (body == nullptr || scanned == nullptr || scanned->i < 1 || scanned->i > total) {
    return InvalidInput(
        fmt::format("node {}: found a Scan whose body is not one of a scan", node.name));
  }
  if (OpsetOf(node, frame) < 9) {
    return Fallback(node, frame, inputs, InvalidInput("Scan of opset 8, with a batch of scans"));
  }
  const size_t carried_count = total - scanned->i;
  const std::span<const Value* const> all(inputs);
  const std::vector<int64_t> axes = IntsOf(node, "scan_input_axes");
  std::vector<std::optional<Shape>> shapes;
  for (const Value* input : all.subspan(carried_count)) {
    const bool is_tensor = input != nullptr && input->is_tensor();
    shapes.push_back(is_tensor ? ShapeOf(*input) : std::nullopt);
  }
  const absl::StatusOr<int64_t> trips = ScannedSize(shapes, axes);
  if (!trips.ok()) return Fallback(node, frame, inputs, trips.status());
  const OpenLoop loop = EnterLoop(node, frame, *trips);
  Values operands;
  TW_RETURN_IF_ERROR(AppendCarried(node, frame, loop, all.first(carried_count), operands));
  for (size_t i = carried_count; i < inputs.size(); ++i) {
    int64_t axis = At(axes, i - carried_count);
    if (axis < 0) axis += shapes[i - carried_count]->rank();
    TW_ASSIGN_OR_RETURN(Value row, RowOf(node, frame, loop, *inputs[i], axis));
    operands.push_back(std::move(row));
  }
  TW_ASSIGN_OR_RETURN(Values outputs, ReadBody(node, *body, frame, loop.place, operands));
  const std::vector<int64_t> out_axes = IntsOf(node, "scan_output_axes");
  for (size_t i = carried_count; i < outputs.size(); ++i) {
    TW_ASSIGN_OR_RETURN(outputs[i], Stacked(node, frame, loop, *trips, outputs[i],
                                            At(out_axes, i - carried_count)));
  }
  return outputs;
}

}  // namespace tilewise::onnx
