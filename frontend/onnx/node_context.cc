// Weights are made in the graph itself, not in the attempt: they outlive it and
// are shared.

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
    ordered.dims.push_back(shape.dims[static_cast<size_t>(dim)]);
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

}  // namespace

NodeContext::NodeContext(const NodeView& node, int64_t opset, bool training, const Frame& frame,
                         GraphBuilder& target, const AttemptPlace& place,
                         std::vector<const Value*> inputs)
    : node_(node),
      opset_(opset),
      training_(training),
      frame_(frame),
      target_(target),
      file_(place.location.file),
      attempt_(target, place),
      inputs_(std::move(inputs)),
      results_(node.outputs.size()) {}

OpId NodeContext::MakeWeight(Weight& weight, const WeightForm& form) {
  for (const auto& [made_form, id] : weight.made) {
    if (made_form == form) return id;
  }
  const bool whole = form == WeightForm{};
  const bool alone = weight.one_use && Fits(weight.shape, form);
  if (!whole && !alone) return kNoOp;
  Location location;
  location.file = file_;
  location.item = weight.name;
  target_.SetLocation(location);
  target_.SetScope("");
  target_.SetLoop({});
  const std::string name = form.row < 0 ? weight.name : fmt::format("{}/{}", weight.name, form.row);
  const OpId id = target_.Variable(Formed(weight.shape, form), name, weight.trainable);
  weight.made.emplace_back(form, id);
  return id;
}

OpId NodeContext::FormOf(OpId whole, const WeightForm& form) {
  if (form.row >= 0) whole = ElementAlong(builder(), whole, form.row, 0);
  if (form.order.empty()) return whole;
  return builder().Transpose(whole, form.order);
}

OpId NodeContext::OpOf(const Value& value) {
  if (value.kind != Value::Kind::kTensor) {
    Fail(value.kind == Value::Kind::kEmpty ? "found an operand without elements, expected some"
                                           : "found an operand that is no tensor, expected one");
    return kNoOp;
  }
  if (value.op != kNoOp) return attempt_.StandIn(value.op);
  if (value.known) return Materialize(builder(), *value.known);
  if (value.weight) return attempt_.StandIn(MakeWeight(*value.weight, {}));
  Fail("found an operand without a value");
  return kNoOp;
}

OpId NodeContext::Input(size_t i) {
  if (Has(i)) return OpOf(*inputs_[i]);
  Fail(fmt::format("found no operand {}, expected one", i));
  return kNoOp;
}

OpId NodeContext::WeightInput(size_t i, const WeightForm& form) {
  if (Has(i) && inputs_[i]->weight && inputs_[i]->op == kNoOp) {
    const OpId made = MakeWeight(*inputs_[i]->weight, form);
    if (made != kNoOp) return attempt_.StandIn(made);
  }
  return FormOf(Input(i), form);
}

const KnownValue* NodeContext::Folded(size_t i) const {
  return Has(i) ? inputs_[i]->known.get() : nullptr;
}

MaybeKnown NodeContext::Known(size_t i) const {
  if (!Has(i)) return std::nullopt;
  if (inputs_[i]->known) return *inputs_[i]->known;
  const Weight* weight = inputs_[i]->weight.get();
  if (weight == nullptr || weight->tensor == nullptr) return std::nullopt;
  return KnownTensor(*weight->tensor);
}

std::optional<std::vector<int64_t>> NodeContext::KnownInts(size_t i) const {
  const MaybeKnown known = Known(i);
  if (!known) return std::nullopt;
  return KnownIntegers(*known);
}

std::optional<int64_t> NodeContext::KnownInt(size_t i) const {
  const MaybeKnown known = Known(i);
  if (!known) return std::nullopt;
  return KnownInteger(*known);
}

std::optional<double> NodeContext::KnownNumberAt(size_t i) const {
  const MaybeKnown known = Known(i);
  if (!known) return std::nullopt;
  return KnownReal(*known);
}

bool NodeContext::IsZeros(size_t i) const {
  if (!Has(i)) return true;
  if (const MaybeKnown known = Known(i)) {
    return std::all_of(known->elements.begin(), known->elements.end(),
                       [](const KnownNumber& e) { return e.value == 0; });
  }
  if (inputs_[i]->op == kNoOp) return false;
  const Op* op = &target_.op(inputs_[i]->op);
  while (op->kind == OpKind::kReshape || op->kind == OpKind::kConvert ||
         op->kind == OpKind::kBroadcast || op->kind == OpKind::kSlice ||
         op->kind == OpKind::kTranspose) {
    op = &target_.op(op->operands[0]);
  }
  return op->kind == OpKind::kConstant && op->as<ConstantAttrs>().value == 0;
}

NodeContext::Offset NodeContext::OffsetOf(size_t i) const {
  if (const std::optional<int64_t> number = KnownInt(i)) {
    return {kNoOp, *number, true};
  }
  if (!Has(i) || inputs_[i]->op == kNoOp) return {};
  const auto through = [&](OpId id) {
    while (true) {
      const OpKind kind = target_.op(id).kind;
      const bool same =
          kind == OpKind::kReshape || kind == OpKind::kConvert || kind == OpKind::kBroadcast;
      if (!same) return id;
      id = target_.op(id).operands[0];
    }
  };
  const OpId id = through(inputs_[i]->op);
  const Op& op = target_.op(id);
  if (op.kind != OpKind::kAdd) return {id, 0, true};
  for (const size_t side : {size_t{0}, size_t{1}}) {
    const Op& number = target_.op(through(op.operands[side]));
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

int64_t NodeContext::Int(std::string_view name, int64_t fallback) const {
  const AttributeView* attribute = Find(name);
  return attribute == nullptr ? fallback : attribute->i;
}

double NodeContext::Float(std::string_view name, double fallback) const {
  const AttributeView* attribute = Find(name);
  return attribute == nullptr ? fallback : attribute->f;
}

std::string_view NodeContext::Text(std::string_view name, std::string_view fallback) const {
  const AttributeView* attribute = Find(name);
  return attribute == nullptr ? fallback : attribute->s;
}

std::vector<int64_t> NodeContext::Ints(std::string_view name) const {
  const AttributeView* attribute = Find(name);
  return attribute == nullptr ? std::vector<int64_t>() : attribute->ints;
}

std::vector<double> NodeContext::Floats(std::string_view name) const {
  const AttributeView* attribute = Find(name);
  return attribute == nullptr ? std::vector<double>() : attribute->floats;
}

std::optional<std::vector<int64_t>> NodeContext::IntsOrInput(std::string_view name, size_t i) {
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

void NodeContext::Set(size_t i, OpId id) {
  if (i < results_.size()) results_[i].op = id;
}

void NodeContext::SetKnown(size_t i, KnownValue known) {
  Value value = Value::OfKnown(std::move(known));
  if (value.known->elements.empty()) value.kind = Value::Kind::kEmpty;
  SetValue(i, std::move(value));
}

bool NodeContext::SetIfKnown(size_t i, const MaybeKnown& known) {
  if (!known) return false;
  if (frame_.known_left != nullptr) {
    if (known->size() > *frame_.known_left) return false;
    *frame_.known_left -= known->size();
  }
  SetKnown(i, *known);
  return true;
}

void NodeContext::SetValue(size_t i, Value value) {
  if (i < results_.size()) results_[i].value = std::move(value);
}

void NodeContext::SetParts(size_t i, std::vector<OpId> parts, int64_t squeezed) {
  if (i >= results_.size() || !ok()) return;
  for (OpId& part : parts) {
    if (squeezed >= 0) part = Squeezed(builder(), part, {squeezed});
  }
  results_[i].parts = std::move(parts);
}

void NodeContext::SetOpaque(size_t i, Shape shape) {
  opaque_ = true;
  if (!Wants(i) || !ok()) return;
  std::vector<OpId> operands;
  for (const Value* input : inputs_) {
    if (input == nullptr || input->kind != Value::Kind::kTensor) continue;
    operands.push_back(OpOf(*input));
  }
  if (!ok()) return;
  Set(i, builder().Opaque(node_.op_type, std::move(operands), std::move(shape)));
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
  std::vector<OpId> ids;
  ids.reserve(results_.size());
  for (const Result& result : results_) ids.push_back(result.op);
  for (const Result& result : results_) {
    if (result.parts) {
      ids.insert(ids.end(), result.parts->begin(), result.parts->end());
    }
  }
  TW_ASSIGN_OR_RETURN(const std::vector<OpId> there, attempt_.Commit(ids));
  std::vector<Value> values;
  values.reserve(results_.size());
  size_t next = results_.size();
  for (size_t i = 0; i < results_.size(); ++i) {
    if (results_[i].parts) {
      std::vector<Value> items;
      for (size_t j = 0; j < results_[i].parts->size(); ++j, ++next) {
        if (there[next] == kNoOp) continue;
        items.push_back(Value::OfOp(there[next], target_.shape(there[next])));
      }
      values.push_back(Value::OfItems(std::move(items)));
    } else if (results_[i].value) {
      values.push_back(*std::move(results_[i].value));
    } else if (there[i] != kNoOp) {
      values.push_back(Value::OfOp(there[i], target_.shape(there[i])));
    } else {
      values.push_back(Value::Empty({}));
    }
  }
  return values;
}

}  // namespace tilewise::onnx
