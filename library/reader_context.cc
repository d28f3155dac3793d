// Checked access to a node, and the folding of what it makes.

#include "library/reader_context.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

namespace tilewise {
namespace {

// More results than any op has: what a hostile count may ask for.
constexpr int64_t kMaxResults = 1 << 16;

}  // namespace

ReaderContext::ReaderContext(GraphBuilder& builder, std::string_view op, std::vector<Value> inputs)
    : builder_(builder), op_(op), inputs_(std::move(inputs)) {}

const Value& ReaderContext::input(int64_t i) const {
  static const Value nothing;
  return i >= 0 && i < num_inputs() ? inputs_[i] : nothing;
}

OpId ReaderContext::OpOf(const Value& value) {
  switch (value.kind) {
    case Value::Kind::kOp:
      return value.op;
    case Value::Kind::kKnown: {
      if (value.is_empty()) break;
      const OpId made = Materialized(value);
      if (made != kNoOp) known_ops_.emplace_back(made, value.known().get());
      return made;
    }
    case Value::Kind::kVariable:
      return Read(value.variable);
    case Value::Kind::kList:
      if (value.list()->stacked != kNoOp) return value.list()->stacked;
      break;
    default:
      break;
  }
  Fail(value.is_empty() ? "found an operand without elements, expected some"
                        : fmt::format("found an operand of {} that is no tensor", op_));
  return kNoOp;
}

OpId ReaderContext::OpOfKnown(KnownValue known) {
  own_.push_back(std::move(known));
  const OpId made = Materialize(builder_, own_.back());
  if (made != kNoOp) known_ops_.emplace_back(made, &own_.back());
  return made;
}

OpId ReaderContext::Input(int64_t i) {
  if (Has(i)) return OpOf(input(i));
  Fail(fmt::format("found no operand {}, expected one", i));
  return kNoOp;
}

OpId ReaderContext::AnyInput(int64_t i) {
  const KnownValue* known = Folded(i);
  if (known == nullptr || known->size() > 0) return Input(i);
  builder_.SetTakesEmpty(true);
  reads_empty_ = true;
  const OpId made = builder_.Constant(0, Shape::Of(known->dtype, known->dims));
  if (made != kNoOp) known_ops_.emplace_back(made, known);
  return made;
}

std::vector<OpId> ReaderContext::Inputs(int64_t begin, int64_t end) {
  std::vector<OpId> ops;
  for (int64_t i = begin; i < end && ok(); ++i) ops.push_back(Input(i));
  return ops;
}

bool ReaderContext::IsTensor(int64_t i) const {
  const Value& value = input(i);
  if (value.kind == Value::Kind::kVariable) return ShapeOfVariable(value.variable).has_value();
  return value.is_tensor();
}

std::optional<Shape> ReaderContext::ShapeOfValue(const Value& value) const {
  if (value.kind == Value::Kind::kVariable) return ShapeOfVariable(value.variable);
  return tilewise::ShapeOf(builder_, value);
}

MaybeKnown ReaderContext::Known(int64_t i) const {
  const Value& value = input(i);
  if (value.known()) return *value.known();
  if (value.kind == Value::Kind::kVariable) return NumbersOfVariable(value.variable);
  return std::nullopt;
}

std::optional<std::vector<int64_t>> ReaderContext::KnownInts(int64_t i) const {
  if (const KnownValue* folded = Folded(i)) return KnownIntegers(*folded);
  const MaybeKnown known = Known(i);
  return known ? KnownIntegers(*known) : std::nullopt;
}

std::optional<int64_t> ReaderContext::KnownInt(int64_t i) const {
  const MaybeKnown known = Known(i);
  return known ? KnownInteger(*known) : std::nullopt;
}

std::optional<double> ReaderContext::KnownNumber(int64_t i) const {
  const MaybeKnown known = Known(i);
  return known ? KnownReal(*known) : std::nullopt;
}

void ReaderContext::SetValue(int64_t i, Value value) {
  if (i < 0 || i >= kMaxResults) {
    return Fail(fmt::format("found result {} of {}, expected fewer than {}", i, op_, kMaxResults));
  }
  const size_t at = i;
  if (at >= results_.size()) results_.resize(at + 1);
  results_[at] = std::move(value);
}

bool ReaderContext::SetIfKnown(int64_t i, MaybeKnown value) {
  if (!value || !Keeps(value->size())) return false;
  SetKnown(i, *std::move(value));
  return true;
}

void ReaderContext::Forward(int64_t i, int64_t j) {
  if (j >= num_inputs()) return Fail(fmt::format("found no operand {}", j));
  SetValue(i, input(j));
}

void ReaderContext::SetOpaque(int64_t i, Shape shape) {
  std::vector<OpId> operands;
  for (int64_t j = 0; j < num_inputs(); ++j) {
    if (IsTensor(j)) operands.push_back(Input(j));
  }
  opaque_ = true;
  Set(i, builder_.Opaque(op_, std::move(operands), std::move(shape)));
}

bool ReaderContext::Settle(const GraphBuilder::Mark& mark, bool can_fold) {
  builder_.SetTakesEmpty(false);
  if (!ok()) return true;
  std::vector<OpId> ops;
  can_fold = can_fold && !opaque_;
  for (const Value& result : results_) {
    if (result.kind == Value::Kind::kOp) ops.push_back(result.op);
    can_fold = can_fold && !result.list() && !result.items();
  }
  if (ops.empty()) return reads_empty_;
  std::optional<std::vector<KnownValue>> known;
  if (can_fold) known = FoldedResults(builder_, mark.ops, known_ops_, ops);
  int64_t elements = 0;
  for (const KnownValue& value : known ? *known : std::vector<KnownValue>()) {
    elements += value.size();
  }
  if (!known || !Keeps(elements)) {
    if (reads_empty_) Fail("found an operand without elements, expected some");
    return reads_empty_;
  }
  size_t next = 0;
  for (Value& result : results_) {
    if (result.kind == Value::Kind::kOp) result = Value::Of(std::move((*known)[next++]));
  }
  return true;
}

}  // namespace tilewise
