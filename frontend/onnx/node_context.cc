// WeightList are shared between nodes; those of a node that is rolled back are made
// again by the next one that asks.

#include "frontend/onnx/node_context.h"

#include <algorithm>

#include <fmt/format.h>

#include "frontend/onnx/tensor_data.h"
#include "library/broadcast.h"
#include "library/gather.h"

namespace tilewise::onnx {
namespace {

Shape Formed(const Shape& whole, const WeightForm& form) {
  Shape shape = whole;
  if (form.row >= 0 && !shape.dims.empty()) {
    shape.dims.erase(shape.dims.begin());
  }
  if (form.order.empty()) return shape;
  Shape ordered(shape.dtype, {});
  for (const int64_t dim : form.order) {
    ordered.dims.push_back(shape.dims[dim]);
  }
  return ordered;
}

// `form` names rows and dims that the weight has.
bool Fits(const Shape& whole, const WeightForm& form) {
  int64_t rank = whole.rank();
  if (form.row >= 0) {
    if (rank < 1 || form.row >= whole.dims[0].factor) return false;
    --rank;
  }
  if (form.order.empty()) return true;
  std::vector<int64_t> sorted = form.order;
  std::sort(sorted.begin(), sorted.end());
  for (size_t i = 0; i < sorted.size(); ++i) {
    if (sorted[i] != static_cast<int64_t>(i)) return false;
  }
  return static_cast<int64_t>(sorted.size()) == rank;
}

std::vector<Value> ValuesOf(const std::vector<const Value*>& inputs) {
  std::vector<Value> values;
  values.reserve(inputs.size());
  for (const Value* input : inputs) values.push_back(input == nullptr ? Value() : *input);
  return values;
}

}  // namespace

void Enter(GraphBuilder& builder, const NodeScope& place) {
  builder.SetLocation(place.location);
  builder.SetScope(place.scope);
  builder.SetLoop(place.loop);
}

NodeContext::NodeContext(const NodeView& node, int64_t opset, bool training, const Frame& frame,
                         GraphBuilder& builder, WeightList& weights, NodeScope place,
                         const std::vector<const Value*>& inputs)
    : ReaderContext(builder, node.op_type, ValuesOf(inputs)),
      node_(node),
      opset_(opset),
      training_(training),
      frame_(frame),
      weights_(weights),
      place_(std::move(place)),
      mark_(builder.MarkHere()) {
  Enter(builder, place_);
  // What the function does not set has no elements.
  for (size_t i = node.outputs.size(); i-- > 0;) {
    SetValue(static_cast<int64_t>(i), Value::Empty({}));
  }
}

OpId NodeContext::MakeWeight(int32_t variable, const WeightForm& form) {
  Weight& weight = weights_[variable];
  for (const auto& [made_form, id] : weight.made) {
    if (made_form == form) return id;
  }
  const bool whole = form == WeightForm{};
  const bool alone = weight.one_use && Fits(weight.shape, form);
  if (!ok() || (!whole && !alone)) return kNoOp;
  NodeScope place;
  place.location.file = place_.location.file;
  place.location.item = weight.name;
  Enter(builder(), place);
  const std::string name = form.row < 0 ? weight.name : fmt::format("{}/{}", weight.name, form.row);
  const OpId id = builder().Variable(Formed(weight.shape, form), name, weight.trainable);
  Enter(builder(), place_);
  if (id == kNoOp) return id;
  weight.made.emplace_back(form, id);
  made_.push_back(variable);
  return id;
}

OpId NodeContext::FormOf(OpId whole, const WeightForm& form) {
  if (form.row >= 0) whole = ElementAlong(builder(), whole, form.row, 0);
  if (form.order.empty()) return whole;
  return builder().Transpose(whole, form.order);
}

OpId NodeContext::WeightInput(int64_t i, const WeightForm& form) {
  if (input(i).kind == Value::Kind::kVariable) {
    const OpId made = MakeWeight(input(i).variable, form);
    if (made != kNoOp) return made;
  }
  return FormOf(Input(i), form);
}

MaybeKnown NodeContext::NumbersOfVariable(int32_t variable) const {
  const TensorView* tensor = weights_[variable].tensor;
  return tensor == nullptr ? std::nullopt : KnownTensor(*tensor);
}

bool NodeContext::Keeps(int64_t elements) {
  if (frame_.known_left == nullptr) return true;
  if (elements > *frame_.known_left) return false;
  *frame_.known_left -= elements;
  return true;
}

bool NodeContext::IsZeros(int64_t i) const {
  if (!Has(i)) return true;
  if (const MaybeKnown known = Known(i)) {
    return std::all_of(known->elements.begin(), known->elements.end(),
                       [](const auto& e) { return e.value == 0; });
  }
  return ConstantValue(builder(), input(i).op) == 0.0;
}

NodeContext::Offset NodeContext::OffsetOf(int64_t i) const {
  if (const std::optional<int64_t> number = KnownInt(i)) {
    return {kNoOp, *number, true};
  }
  if (input(i).op == kNoOp) return {};
  const auto through = [&](OpId id) {
    while (true) {
      const OpKind kind = builder().op(id).kind;
      const bool same =
          kind == OpKind::kReshape || kind == OpKind::kConvert || kind == OpKind::kBroadcast;
      if (!same) return id;
      id = builder().op(id).operands[0];
    }
  };
  const OpId id = through(input(i).op);
  const Op& op = builder().op(id);
  if (op.kind != OpKind::kAdd) return {id, 0, true};
  for (const size_t side : {size_t{0}, size_t{1}}) {
    const Op& number = builder().op(through(op.operands[side]));
    if (number.kind != OpKind::kConstant) continue;
    return {through(op.operands[1 - side]), static_cast<int64_t>(number.as<ConstantAttrs>().value),
            true};
  }
  return {id, 0, true};
}

const AttributeView* NodeContext::Find(std::string_view name) const {
  const AttributeView* attribute = node_.Find(name);
  if (attribute == nullptr || attribute->reference.empty()) return attribute;
  if (frame_.attributes == nullptr) return nullptr;
  const auto at = frame_.attributes->find(attribute->reference);
  return at == frame_.attributes->end() ? nullptr : at->second;
}

int64_t NodeContext::Int(std::string_view name, int64_t otherwise) const {
  const AttributeView* attribute = Find(name);
  return attribute == nullptr ? otherwise : attribute->i;
}

double NodeContext::Float(std::string_view name, double otherwise) const {
  const AttributeView* attribute = Find(name);
  return attribute == nullptr ? otherwise : attribute->f;
}

bool NodeContext::Bool(std::string_view name, bool otherwise) const {
  return Int(name, otherwise ? 1 : 0) != 0;
}

std::string_view NodeContext::Text(std::string_view name, std::string_view otherwise) const {
  const AttributeView* attribute = Find(name);
  return attribute == nullptr ? otherwise : attribute->s;
}

std::vector<int64_t> NodeContext::Ints(std::string_view name) const {
  const AttributeView* attribute = Find(name);
  return attribute == nullptr ? std::vector<int64_t>() : attribute->ints;
}

std::vector<double> NodeContext::Floats(std::string_view name) const {
  const AttributeView* attribute = Find(name);
  return attribute == nullptr ? std::vector<double>() : attribute->floats;
}

std::optional<std::vector<int64_t>> NodeContext::IntsOrInput(std::string_view name, int64_t i) {
  if (const AttributeView* attribute = Find(name)) {
    if (attribute->ints.empty() && attribute->type == onnx_format::AttributeProto::INT) {
      return std::vector<int64_t>{attribute->i};
    }
    return attribute->ints;
  }
  if (!Has(i)) return std::nullopt;
  std::optional<std::vector<int64_t>> ints = KnownInts(i);
  if (!ints) {
    Fail(fmt::format("operand {} ({}) is not known before the model runs", i, name));
  }
  return ints;
}

void NodeContext::SetParts(int64_t i, const std::vector<OpId>& parts, int64_t squeezed) {
  std::vector<Value> items;
  for (const OpId part : parts) {
    if (!ok()) return;
    items.push_back(Value::Of(squeezed >= 0 ? Squeezed(builder(), part, {squeezed}) : part));
  }
  SetValue(i, Value::Of(std::move(items)));
}

const TypeView* NodeContext::Stated(size_t i) const {
  if (frame_.stated == nullptr || !Wants(i)) return nullptr;
  const auto at = frame_.stated->find(node_.outputs[i]);
  return at == frame_.stated->end() ? nullptr : at->second;
}

std::optional<std::vector<Dim>> NodeContext::StatedDims(size_t i) const {
  const TypeView* type = Stated(i);
  if (type == nullptr || !type->has_shape || frame_.dims == nullptr) {
    return std::nullopt;
  }
  std::vector<Dim> dims;
  for (size_t d = 0; d < type->dims.size(); ++d) {
    const std::optional<Dim> dim = frame_.dims->Stated(type->dims[d], d);
    if (!dim || dim->factor < 1) return std::nullopt;
    dims.push_back(*dim);
  }
  return dims;
}

absl::StatusOr<std::vector<Value>> NodeContext::Commit() {
  const bool back = Settle(mark_, true);
  const absl::Status status = builder().TakeStatus();
  if (back) {
    builder().RollBack(mark_);
    for (const int32_t variable : made_) {
      std::erase_if(weights_[variable].made,
                    [&](const auto& made) { return made.second >= mark_.ops; });
    }
  }
  if (!status.ok()) return status;
  std::vector<Value> values = results();
  values.resize(node_.outputs.size());
  return values;
}

}  // namespace tilewise::onnx
