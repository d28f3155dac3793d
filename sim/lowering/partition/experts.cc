// Values are followed from the matmuls of experts as far as every op keeps the
// dims of the experts and of the examples.

#include "sim/lowering/partition/experts.h"

#include <algorithm>
#include <utility>

namespace tilewise {
namespace {

// Moves or rounds one value; its other operands, if any, are waited for.
bool PassesOn(const Op& op) {
  return op.kind == OpKind::kConvert || op.kind == OpKind::kTranspose ||
         op.kind == OpKind::kBarrier || ClassOf(op.kind) == OpClass::kTransfer;
}

// The dim of `op`'s result that dim `dim` of its operand becomes.
int64_t Moved(const Op& op, int64_t dim) {
  if (op.kind != OpKind::kTranspose || dim < 0) return dim;
  const std::vector<int64_t>& dims = op.as<TransposeAttrs>().dims;
  return std::find(dims.begin(), dims.end(), dim) - dims.begin();
}

// The variable that `value` is, but for its type and the order of its dims, and
// which of that one's dims `dim` is.
std::optional<std::pair<OpId, int64_t>> VariableOf(const Graph& graph, OpId value, int64_t dim) {
  const Op* op = &graph.op(value);
  while (PassesOn(*op)) {
    if (op->kind == OpKind::kTranspose) {
      dim = op->as<TransposeAttrs>().dims[dim];
    }
    op = &graph.operand(*op, 0);
  }
  const bool is_weight = op->kind == OpKind::kVariable && op->as<VariableAttrs>().trainable;
  if (!is_weight) return std::nullopt;
  return std::pair(op->id, dim);
}

// The dim of a broadcast's operand that its dim `dim` is; kWhole for none.
int64_t OperandOfBroadcast(const Op& op, int64_t dim) {
  if (op.kind != OpKind::kBroadcast) return kWhole;
  const std::vector<int64_t>& dims = op.as<BroadcastAttrs>().dims;
  const auto at = std::find(dims.begin(), dims.end(), dim);
  return at == dims.end() ? kWhole : at - dims.begin();
}

// The same for all `examples`.
bool IsBroadcast(const Op& op, int64_t examples) {
  if (op.kind == OpKind::kConstant) return true;
  return op.kind == OpKind::kBroadcast && OperandOfBroadcast(op, examples) == kWhole;
}

std::vector<int64_t> FreeDims(const Shape& shape, const std::vector<int64_t>& batch,
                              const std::vector<int64_t>& contract) {
  std::vector<int64_t> free;
  for (int64_t dim = 0; dim < shape.rank(); ++dim) {
    const auto has = [dim](const std::vector<int64_t>& dims) {
      return std::find(dims.begin(), dims.end(), dim) != dims.end();
    };
    if (!has(batch) && !has(contract)) free.push_back(dim);
  }
  return free;
}

}  // namespace

std::vector<int64_t> FindExperts(const Graph& graph, int64_t parts) {
  std::vector<std::pair<OpId, int64_t>> found;
  for (const Op& op : graph.ops()) {
    if (op.kind != OpKind::kDot) continue;
    const DotDims& dot = op.as<DotAttrs>();
    for (size_t i = 0; i < dot.lhs_batch.size(); ++i) {
      if (op.shape.size(static_cast<int64_t>(i)) % parts != 0) continue;
      const auto lhs = VariableOf(graph, op.operands[0], dot.lhs_batch[i]);
      const auto rhs = VariableOf(graph, op.operands[1], dot.rhs_batch[i]);
      if (lhs.has_value() == rhs.has_value()) continue;
      found.push_back(lhs ? *lhs : *rhs);
    }
  }
  std::vector<int64_t> experts(graph.size(), kWhole);
  for (const Op& op : graph.ops()) {
    if (op.kind != OpKind::kVariable) continue;
    for (const auto& [id, dim] : found) {
      const Op& weight = graph.op(id);
      if (weight.origin == op.origin && weight.shape.dims == op.shape.dims) {
        experts[op.id] = dim;
      }
    }
  }
  return experts;
}

ExpertAllToAll::ExpertAllToAll(SplitValues& values, std::vector<int64_t> experts)
    : values_(values),
      experts_(std::move(experts)),
      found_(experts_.size()),
      positions_(experts_.size(), kNoOp) {}

const ExpertAllToAll::Value* ExpertAllToAll::Find(OpId old) const {
  const auto& value = found_[old];
  return value ? &*value : nullptr;
}

// Returns whether `old` is a weight of the experts, or one of the variables
// themselves.
bool ExpertAllToAll::IsWeight(OpId old, int64_t experts) const {
  if (experts_[old] != kWhole) {
    return experts_[old] == experts;
  }
  const Value* value = Find(old);
  return value != nullptr && value->form == Form{experts, kWhole};
}

// Broadcasts a value that is the same for all examples.
OpId ExpertAllToAll::BroadcastAt(const Op& op, const Form& form) {
  Op local = op;
  local.shape.dims[form.experts].factor /= values_.parts();
  local.shape.dims[form.examples].factor *= values_.parts();
  std::vector<OpId> operands;
  for (const OpId id : op.operands) {
    OpId made = values_.Whole(id);
    const int64_t from = OperandOfBroadcast(op, form.experts);
    if (from != kWhole) made = values_.SliceOwn(made, from);
    operands.push_back(made);
  }
  return values_.builder().Clone(local, std::move(operands));
}

// The gather whose rows `rows` are, if they lie as `form` says.
const Op* ExpertAllToAll::LookupOf(const Op& rows, const Form& form) const {
  if (rows.kind != OpKind::kReshape || form != Form{0, 1}) return nullptr;
  const Op& lookup = values_.from().operand(rows, 0);
  if (lookup.kind != OpKind::kGather || lookup.as<GatherAttrs>().permutes) return nullptr;
  const bool is_per_token = lookup.shape.rank() == 2 && rows.shape.rank() == 3 &&
                            lookup.shape.dims[1] == rows.shape.dims[2];
  return is_per_token ? &lookup : nullptr;
}

// Returns where tokens look up what they bring along: fewer bytes than that.
OpId ExpertAllToAll::PositionsAt(OpId positions, const std::vector<Dim>& dims) {
  OpId& made = positions_[positions];
  if (made != kNoOp) return made;
  const Op& op = values_.from().op(positions);
  const OpId own = values_.Whole(positions);
  values_.EnterContextOf(op, op.phase);
  GraphBuilder& b = values_.builder();
  made = b.AllToAll(b.Reshape(own, dims), 0, 1, values_.parts(), values_.axis());
  return made;
}

bool ExpertAllToAll::PartitionLookupGradient(const Op& scatter) {
  const Graph& graph = values_.from();
  const Op& rows = graph.operand(scatter, 1);
  if (scatter.shape.rank() != 2 || rows.kind != OpKind::kReshape) return false;
  const Value* value = Find(rows.operands[0]);
  if (value == nullptr || value->form != Form{0, 1}) return false;
  const Shape& shape = graph.operand(rows, 0).shape;
  if (shape.rank() != 3 || shape.dims[2] != rows.shape.dims.back()) {
    return false;
  }
  const OpId positions = PositionsAt(scatter.operands[0], {shape.dims[0], shape.dims[1]});
  values_.SetWhole(scatter.id, values_.builder().Clone(scatter, {positions, value->made}));
  return true;
}

// Whether no values of tokens have to move.
bool ExpertAllToAll::IsCheapAt(OpId old, const Form& form) const {
  const Value* value = Find(old);
  if (value != nullptr && value->form == form) return true;
  if (form.examples == kWhole) return true;
  const Op& op = values_.from().op(old);
  return IsBroadcast(op, form.examples) || LookupOf(op, form) != nullptr;
}

OpId ExpertAllToAll::At(OpId old, const Form& form) {
  const Value* value = Find(old);
  if (value != nullptr && value->form == form) return value->made;
  if (form.examples == kWhole) return values_.Part(old, form.experts);
  const Op& op = values_.from().op(old);
  if (IsBroadcast(op, form.examples)) return BroadcastAt(op, form);
  if (const Op* lookup = LookupOf(op, form); lookup != nullptr) {
    const OpId table = values_.Whole(lookup->operands[0]);
    const OpId positions = PositionsAt(lookup->operands[1], {op.shape.dims[0], op.shape.dims[1]});
    return values_.builder().Clone(*lookup, {table, positions}, true);
  }
  const OpId own = values_.Whole(old);
  values_.EnterContextOf(op, op.phase);
  const OpId made =
      values_.builder().AllToAll(own, form.experts, form.examples, values_.parts(), values_.axis());
  if (value == nullptr) found_[old] = {form, made};
  return made;
}

void ExpertAllToAll::Set(const Op& op, const Form& form, OpId made) {
  found_[op.id] = {form, made};
  if (form.examples == kWhole) {
    values_.SetPart(op.id, form.experts, made);
    return;
  }
  values_.EnterContextOf(op, op.phase);
  // Dropped where nothing reads it.
  values_.SetWhole(op.id, values_.builder().AllToAll(made, form.examples, form.experts,
                                                     values_.parts(), values_.axis()));
}

// Finds which operands' and result's dim the experts are, if one operand has
// them.
bool ExpertAllToAll::PlaceExperts(const Op& op, DotForms& forms) const {
  const DotDims& dot = op.as<DotAttrs>();
  const auto has = [this](OpId id, int64_t dim) {
    const Value* value = Find(id);
    return IsWeight(id, dim) || (value != nullptr && value->form.experts == dim);
  };
  for (size_t i = 0; i < dot.lhs_batch.size(); ++i) {
    if (!has(op.operands[0], dot.lhs_batch[i]) && !has(op.operands[1], dot.rhs_batch[i])) {
      continue;
    }
    forms.lhs.experts = dot.lhs_batch[i];
    forms.rhs.experts = dot.rhs_batch[i];
    forms.result.experts = static_cast<int64_t>(i);
    return true;
  }
  return false;
}

// Tokens times a weight: they keep their own dim, the first that is not
// contracted.
bool ExpertAllToAll::PlaceTokens(const Op& op, bool left_weight, DotForms& forms) const {
  const DotDims& dot = op.as<DotAttrs>();
  const Graph& graph = values_.from();
  const std::vector<int64_t> left =
      FreeDims(graph.operand(op, 0).shape, dot.lhs_batch, dot.lhs_contract);
  const std::vector<int64_t> right =
      FreeDims(graph.operand(op, 1).shape, dot.rhs_batch, dot.rhs_contract);
  const std::vector<int64_t>& free = left_weight ? right : left;
  if (free.empty()) return false;
  const Value* value = Find(op.operands[left_weight ? 1 : 0]);
  Form& tokens = left_weight ? forms.rhs : forms.lhs;
  tokens.examples = value != nullptr ? value->form.examples : free.front();
  const auto at = std::find(free.begin(), free.end(), tokens.examples);
  if (at == free.end()) return false;
  const size_t before = dot.lhs_batch.size() + (left_weight ? left.size() : 0);
  forms.result.examples = static_cast<int64_t>(before) + (at - free.begin());
  return true;
}

// Tokens times tokens: what both have of them is summed.
bool ExpertAllToAll::PlaceSummed(const Op& op, DotForms& forms) const {
  const DotDims& dot = op.as<DotAttrs>();
  const Value* one = Find(op.operands[0]);
  const Value* other = Find(op.operands[1]);
  for (size_t i = 0; i < dot.lhs_contract.size(); ++i) {
    const int64_t lhs = dot.lhs_contract[i];
    const int64_t rhs = dot.rhs_contract[i];
    const bool fits = (one == nullptr || one->form.examples == lhs) &&
                      (other == nullptr || other->form.examples == rhs);
    if (!fits) continue;
    forms.lhs.examples = lhs;
    forms.rhs.examples = rhs;
    return true;
  }
  return false;
}

bool ExpertAllToAll::PartitionDot(const Op& op) {
  DotForms forms;
  if (!PlaceExperts(op, forms)) return false;
  const OpId lhs = op.operands[0];
  const OpId rhs = op.operands[1];
  const bool left_weight = IsWeight(lhs, forms.lhs.experts);
  const bool has_weight = left_weight || IsWeight(rhs, forms.rhs.experts);
  const bool fits = has_weight ? PlaceTokens(op, left_weight, forms) : PlaceSummed(op, forms);
  if (!fits) return false;
  const OpId made_lhs = At(lhs, forms.lhs);
  const OpId made_rhs = At(rhs, forms.rhs);
  values_.EnterContextOf(op, op.phase);
  Set(op, forms.result, values_.builder().Clone(op, {made_lhs, made_rhs}, true));
  return true;
}

// What follows from the form of one operand, if the op keeps its dims.
std::optional<ExpertAllToAll::Form> ExpertAllToAll::FormOfResult(const Op& op,
                                                                 size_t operand) const {
  const OpId id = op.operands[operand];
  const Value* value = Find(id);
  Form form;
  if (value != nullptr) {
    form = value->form;
  } else if (experts_[id] != kWhole) {
    form.experts = experts_[id];
  } else {
    return std::nullopt;
  }
  if (PassesOn(op)) {
    if (operand != 0) return std::nullopt;
    return Form{Moved(op, form.experts), Moved(op, form.examples)};
  }
  if (ClassOf(op.kind) != OpClass::kElementwise) return std::nullopt;
  return form;
}

bool ExpertAllToAll::PartitionMapped(const Op& op) {
  std::optional<Form> form;
  for (size_t i = 0; i < op.operands.size(); ++i) {
    const auto its = FormOfResult(op, i);
    if (!its) continue;
    if (form && *form != *its) return false;
    form = its;
  }
  if (!form) return false;
  const bool stays = PassesOn(op) || std::all_of(op.operands.begin(), op.operands.end(),
                                                 [&](OpId id) { return IsCheapAt(id, *form); });
  if (!stays) return false;
  std::vector<OpId> operands;
  for (size_t i = 0; i < op.operands.size(); ++i) {
    const OpId id = op.operands[i];
    if (PassesOn(op) && i > 0) {
      const OpId made = values_.Made(id);
      operands.push_back(made == kNoOp ? values_.Whole(id) : made);
    } else if (PassesOn(op)) {
      const Value* value = Find(id);
      operands.push_back(value != nullptr ? value->made : values_.Part(id, experts_[id]));
    } else {
      operands.push_back(At(id, *form));
    }
  }
  values_.EnterContextOf(op, op.phase);
  Set(op, *form, values_.builder().Clone(op, std::move(operands), true));
  return true;
}

bool ExpertAllToAll::Partition(const Op& op) {
  if (op.phase == Phase::kUpdate || op.operands.empty()) return false;
  if (op.kind == OpKind::kDot) return PartitionDot(op);
  return PartitionMapped(op);
}

}  // namespace tilewise
