// A call is read as a node of an ONNX model is, made on the fly.

#include "frontend/program/tracer.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <set>

#include <fmt/format.h>

#include "frontend/program/op_table.h"
#include "graph/shape_checks.h"
#include "graph/stacked_weights.h"
#include "library/loop_values.h"
#include "library/trip_count.h"
#include "workload/reader_note.h"

namespace tilewise::program {
namespace {

constexpr int64_t kOpset = 17;
constexpr int kMaxOutputs = 256;
constexpr size_t kMaxNotes = 1000;

using onnx::AttributeView;
using onnx_format::AttributeProto;

// This writes attributes as ONNX does: a number is there as an integer and as a
// float, so that functions may ask for either.
struct AttributeWriter {
  AttributeView& view;

  void operator()(bool value) const { (*this)(static_cast<int64_t>(value)); }
  void operator()(int64_t value) const {
    view.type = AttributeProto::INT;
    view.i = value;
    view.f = static_cast<double>(value);
  }
  void operator()(double value) const {
    view.type = AttributeProto::FLOAT;
    view.f = value;
    view.i = std::abs(value) < 1e18 ? static_cast<int64_t>(value) : 0;
  }
  void operator()(const std::string& value) const {
    view.type = AttributeProto::STRING;
    view.s = value;
  }
  void operator()(const std::vector<int64_t>& values) const {
    view.type = AttributeProto::INTS;
    view.ints = values;
    view.floats.assign(values.begin(), values.end());
  }
  void operator()(const std::vector<double>& values) const {
    view.type = AttributeProto::FLOATS;
    view.floats = values;
  }
};

std::vector<AttributeView> ViewsOf(const AttributeMap& attrs) {
  std::vector<AttributeView> views(attrs.size());
  size_t next = 0;
  for (const auto& [name, value] : attrs) {
    AttributeView& view = views[next++];
    view.name = name;
    std::visit(AttributeWriter{view}, value);
  }
  return views;
}

// Names of results: a node's results that have none are not wanted.
std::vector<std::string_view> ResultNames(int outputs) {
  static constexpr std::string_view kName = "result";
  return std::vector<std::string_view>(outputs, kName);
}

absl::Status CheckElements(const Shape& shape, std::string_view what) {
  if (!shape.is_static() || HasNoElements(shape)) {
    return InvalidInput(fmt::format("found {} of {}, expected elements", what, FormatShape(shape)));
  }
  return CheckSizes(shape, 1);
}

}  // namespace

Tracer::Tracer(std::string name) : name_(std::move(name)), builder_(name_) {}

void Tracer::SetPlace(Location location, std::string_view scope) {
  location_ = std::move(location);
  scope_ = scope;
}

onnx::NodeScope Tracer::PlaceIn(EnclosingLoop loop) const { return {location_, scope_, loop}; }

absl::StatusOr<std::vector<Value>> Tracer::Op(std::string_view name, std::vector<Value> inputs,
                                              const AttributeMap& attrs, int outputs) {
  const OpFunction make = FindOp(name);
  if (make == nullptr) return InvalidInput(fmt::format("unknown op {}", name));
  if (outputs < 1 || outputs > kMaxOutputs) {
    return InvalidInput(
        fmt::format("found {} results of {}, expected 1 to {}", outputs, name, kMaxOutputs));
  }
  onnx::NodeView node;
  node.op_type = name.substr(name.rfind('.') + 1);
  node.outputs = ResultNames(outputs);
  node.attributes = ViewsOf(attrs);
  onnx::Frame frame;
  frame.known_left = &known_left_;
  frame.loops = &loop_count_;
  std::vector<const Value*> operands;
  operands.reserve(inputs.size());
  for (const Value& input : inputs) {
    operands.push_back(input.kind == Value::Kind::kNone ? nullptr : &input);
  }
  // Whether the op trains is what the program says, in its attributes.
  onnx::NodeContext call(node, kOpset, /*training=*/false, frame, builder_, weights_,
                         PlaceIn(loop()), operands);
  make(call);
  absl::StatusOr<std::vector<Value>> values = call.Commit();
  if (!values.ok()) return values;
  ++source_ops_[std::string(name)];
  if (call.opaque()) ++opaque_ops_[std::string(name)];
  for (const std::string& note : call.notes()) Note(note);
  return values;
}

absl::StatusOr<Value> Tracer::Weight(Shape shape, std::string name, bool trainable) {
  TW_RETURN_IF_ERROR(CheckElements(shape, "a weight"));
  onnx::Weight weight;
  weight.name = std::move(name);
  weight.shape = std::move(shape);
  weight.trainable = trainable;
  weight_places_.push_back(location_);
  return onnx::AddWeight(weights_, std::move(weight));
}

absl::StatusOr<Value> Tracer::Input(Shape shape, std::string_view name,
                                    std::optional<int64_t> batch_dim) {
  TW_RETURN_IF_ERROR(CheckElements(shape, "an input"));
  if (batch_dim && *batch_dim < 0) *batch_dim += shape.rank();
  if (batch_dim && (*batch_dim < 0 || *batch_dim >= shape.rank())) {
    if (shape.rank() > 0) {
      return InvalidInput(fmt::format("found batch dim {} of {}, expected one of its dims",
                                      *batch_dim, FormatShape(shape)));
    }
    batch_dim.reset();
  }
  onnx::Enter(builder_, {location_, "", {}});
  const OpId id = builder_.Parameter(std::move(shape), name.empty() ? "input" : name);
  if (id == kNoOp) return builder_.TakeStatus();
  if (batch_dim) seeds_.push_back({id, *batch_dim});
  return Value::Of(id);
}

absl::StatusOr<Value> Tracer::Full(double number, Shape shape) {
  if (shape.is_static() && fills_left_ > 0) {
    if (MaybeKnown known = KnownFill({number, false}, shape.sizes(), shape.dtype)) {
      fills_left_ -= known->size();
      return Value::Of(*std::move(known));
    }
  }
  TW_RETURN_IF_ERROR(CheckElements(shape, "a constant"));
  onnx::Enter(builder_, PlaceIn(loop()));
  const OpId id = builder_.Constant(number, std::move(shape));
  if (id == kNoOp) return builder_.TakeStatus();
  return Value::Of(id);
}

std::optional<Shape> Tracer::ShapeOf(const Value& value) const {
  if (IsWeight(value)) return weights_[value.variable].shape;
  return tilewise::ShapeOf(builder_, value);
}

void Tracer::Rename(const Value& weight, std::string name) {
  if (IsWeight(weight)) weights_[weight.variable].name = std::move(name);
}

void Tracer::SetTrainable(const Value& weight, bool trainable) {
  if (IsWeight(weight)) weights_[weight.variable].trainable = trainable;
}

std::string_view Tracer::NameOf(const Value& weight) const {
  return IsWeight(weight) ? std::string_view(weights_[weight.variable].name) : std::string_view();
}

bool Tracer::IsTrainable(const Value& weight) const {
  return IsWeight(weight) && weights_[weight.variable].trainable;
}

absl::StatusOr<OpId> Tracer::Realized(const Value& value, EnclosingLoop loop) {
  const onnx::NodeView node;
  const onnx::Frame frame;
  onnx::NodeContext call(node, kOpset, false, frame, builder_, weights_, PlaceIn(loop), {&value});
  const OpId id = call.Input(0);
  if (id == kNoOp) return builder_.TakeStatus();
  return id;
}

absl::StatusOr<std::vector<Value>> Tracer::BeginLoop(int64_t trips,
                                                     const std::vector<Value>& carried) {
  if (trips < 1) return InvalidInput(fmt::format("found a loop of {} trips", trips));
  std::vector<OpId> before;
  for (const Value& value : carried) {
    OpId id = kNoOp;
    if (value.kind != Value::Kind::kNone) {
      TW_ASSIGN_OR_RETURN(id, Realized(value, loop()));
    }
    before.push_back(id);
  }
  onnx::Enter(builder_, PlaceIn(loop()));
  OpenLoop open;
  open.trips = trips;
  open.place = LoopWithin(loop(), ++loop_count_, trips);
  open.counter = LoopCounter(builder_, open.place);
  builder_.SetLoop(open.place);
  std::vector<Value> inside = {Value::Of(open.counter)};
  for (const OpId id : before) {
    const OpId barrier = id == kNoOp ? kNoOp : builder_.Barrier(id, {});
    open.carried.emplace_back(barrier, kNoOp);
    inside.push_back(id == kNoOp ? Value() : Value::Of(barrier));
  }
  if (!builder_.ok()) return builder_.TakeStatus();
  loops_.push_back(open);
  return inside;
}

absl::StatusOr<Value> Tracer::StackRows(const Value& row) {
  if (loops_.empty()) return InvalidInput("found rows of a loop outside of loops");
  const OpenLoop& open = loops_.back();
  TW_ASSIGN_OR_RETURN(const OpId id, Realized(row, open.place));
  const EnclosingLoop outer = loops_.size() > 1 ? loops_[loops_.size() - 2].place : EnclosingLoop();
  onnx::Enter(builder_, PlaceIn(outer));
  const OpId rows = StackedRows(builder_, id, 0, open.trips, open.counter, open.place);
  if (!builder_.ok()) return builder_.TakeStatus();
  return Value::Of(rows);
}

absl::StatusOr<Value> Tracer::RowOf(const Value& whole, int64_t dim, const Value& index) {
  if (loops_.empty()) return InvalidInput("found a row of a loop outside of loops");
  TW_ASSIGN_OR_RETURN(const OpId id, Realized(whole, loop()));
  TW_ASSIGN_OR_RETURN(const OpId number, Realized(index, loop()));
  onnx::Enter(builder_, PlaceIn(loop()));
  const OpId row = RowAt(builder_, id, dim, number);
  if (!builder_.ok()) return builder_.TakeStatus();
  return Value::Of(row);
}

void Tracer::Carry(const std::vector<Value>& next) {
  if (loops_.empty()) return;
  std::vector<std::pair<OpId, OpId>>& carried = loops_.back().carried;
  for (size_t i = 0; i < carried.size() && i < next.size(); ++i) {
    if (next[i].kind == Value::Kind::kOp) carried[i].second = next[i].op;
  }
}

void Tracer::EndLoop() {
  if (loops_.empty()) return;
  OpenLoop ended = std::move(loops_.back());
  loops_.pop_back();
  if (!loops_.empty() || ended.counter == kNoOp) return;
  ended.last = OpId(builder_.size() - 1);
  closed_.push_back(std::move(ended));
}

void Tracer::BeginIteration(bool first) {
  OpenLoop open;
  open.place = loop();
  if (loops_.empty()) {
    open.place.id = ++loop_count_;
    if (first) first_iteration_ = open.place.id;
    open.place.first = first_iteration_;
  }
  loops_.push_back(open);
}

bool Tracer::IsOfWeight(const Value& value) const {
  if (IsWeight(value)) return true;
  if (value.kind != Value::Kind::kOp) return false;
  OpId id = value.op;
  while (IsRelabeling(builder_.op(id).kind)) id = builder_.op(id).operands[0];
  return builder_.op(id).kind == OpKind::kVariable;
}

bool Tracer::TakeAsInput(const Value& value) {
  if (value.kind != Value::Kind::kOp || builder_.op(value.op).shape.rank() == 0) return false;
  if (taken_as_inputs_.contains(value.op)) return true;
  std::vector<OpId> open = {value.op};
  std::set<OpId> seen;
  bool is_computed = false;
  while (!open.empty()) {
    const tilewise::Op& op = builder_.op(open.back());
    open.pop_back();
    if (IsArgument(op) || taken_as_inputs_.contains(op.id)) return false;
    is_computed = is_computed || op.kind != OpKind::kConstant;
    for (const OpId operand : op.operands) {
      if (seen.insert(operand).second) open.push_back(operand);
    }
  }
  if (!is_computed) return false;
  taken_as_inputs_.insert(value.op);
  seeds_.push_back({value.op, 0});
  return true;
}

bool Tracer::TakeBuffer(const Value& value) {
  constexpr size_t kFew = 16;
  if (value.kind != Value::Kind::kOp || builder_.op(value.op).shape.rank() == 0) return false;
  if (taken_as_inputs_.contains(value.op)) return true;
  std::vector<OpId> open = {value.op};
  std::set<OpId> seen;
  size_t inputs = 0;
  while (!open.empty() && inputs < kFew) {
    const tilewise::Op& op = builder_.op(open.back());
    open.pop_back();
    if (op.kind == OpKind::kParameter) ++inputs;
    if (taken_as_inputs_.contains(op.id)) continue;
    for (const OpId operand : op.operands) {
      if (seen.insert(operand).second) open.push_back(operand);
    }
  }
  if (inputs < kFew) return false;
  taken_as_inputs_.insert(value.op);
  return true;
}

void Tracer::Note(std::string message) {
  if (notes_.size() >= kMaxNotes) return;
  notes_.push_back(NoteAt("RD002", "cannot-resolve", location_, std::move(message)));
}

}  // namespace tilewise::program
