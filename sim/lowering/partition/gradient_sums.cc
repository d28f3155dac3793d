// Reduce-scatters to the dim that the weight is stored by, all-reduces of what
// no part divides.

#include "sim/lowering/partition/gradient_sums.h"

#include <algorithm>
#include <utility>

#include "sim/lowering/partition/gradients.h"

namespace tilewise {
namespace {

// Whether iterations of one loop make the terms: the loop carries their sum. Where tiles of the
// tokens have their losses one after the other, that is the gradient of the output matrix.
bool AddsIterations(const Graph& graph, const Op& sum) {
  if (sum.kind != OpKind::kAdd || sum.phase != Phase::kBackward) return false;
  const EnclosingLoop& a = graph.operand(sum, 0).loop;
  const EnclosingLoop& b = graph.operand(sum, 1).loop;
  return a.is_one_trip() && b.is_one_trip() && a.first == b.first && a.id != b.id;
}

// Whether it is a term of such a sum, or of a part of it.
bool IsCarried(const Graph& graph, const Op& term) {
  const auto users = graph.users(term.id);
  return std::any_of(users.begin(), users.end(),
                     [&](OpId user) { return AddsIterations(graph, graph.op(user)); });
}

}  // namespace

GradientSums::GradientSums(SplitValues& values, std::function<bool(const Op* variable)> stores,
                           const std::vector<OpId>& weights, const std::vector<bool>& tables,
                           bool narrow)
    : values_(values),
      stores_(std::move(stores)),
      weights_(weights),
      tables_(tables),
      narrow_(narrow),
      gradients_(FindUnsummedGradients(values.from())),
      summed_(weights.size(), false) {}

bool GradientSums::IsStoredHere(const Op& gradient) const {
  if (!stores_) return true;
  const OpId weight = weights_[gradient.id];
  return stores_(weight == kNoOp ? nullptr : &values_.from().op(weight));
}

// What a matmul in a narrow type adds to a wide gradient: it is summed as it
// is made, in its own type.
bool GradientSums::IsNarrowTerm(const Op& op) const {
  const Graph& graph = values_.from();
  if (!IsWidening(graph, op) || !IsAddedUp(graph, op)) return false;
  const Op* made = &graph.operand(op, 0);
  if (made->kind == OpKind::kTranspose) made = &graph.operand(*made, 0);
  return ClassOf(made->kind) == OpClass::kMxu;
}

// What a loop carries is whole on each core: it is summed behind the loop, in its own type.
bool GradientSums::SumCarried(const Op& sum) {
  const Graph& graph = values_.from();
  const bool is_last = AddsIterations(graph, sum) && !IsCarried(graph, sum);
  if (!is_last || !IsForUpdate(graph, sum)) return false;
  const Op* gradient = &sum;  // in the type of the weight
  for (auto users = graph.users(sum.id); weights_[gradient->id] == kNoOp && users.size() == 1 &&
                                         graph.op(users[0]).kind == OpKind::kConvert;
       users = graph.users(gradient->id)) {
    gradient = &graph.op(users[0]);
  }
  if (weights_[gradient->id] == kNoOp || !IsStoredHere(*gradient)) return false;
  std::vector<OpId> terms;
  for (const OpId id : sum.operands) terms.push_back(values_.Whole(id));
  const OpId own = values_.CloneLocal(sum, std::move(terms), kWhole);
  values_.EnterContextOf(sum, sum.phase);
  values_.builder().SetLoop({});
  values_.SetWhole(sum.id, values_.builder().AllReduce(own, values_.parts(), values_.axis()));
  SetSummed(sum.id);
  return true;
}

bool GradientSums::PartitionCarry(const Op& op) {
  if (!IsCarry(op) || !IsStoredHere(op) || !IsForUpdate(values_.from(), op)) return false;
  const OpId sum = op.operands[0];
  const int64_t dim = DimOf(op);
  const auto made = early_.find(sum);
  const bool is_early = made != early_.end() && made->second.first == dim;
  const OpId own = IsSummed(sum) ? values_.In(sum, dim)
                   : is_early    ? made->second.second
                                 : SumOf(values_.from().op(sum), dim);
  values_.Set(op.id, dim, values_.CloneLocal(op, {own}, dim));
  SetSummed(op.id);
  return true;
}

bool GradientSums::PartitionAdd(const Op& sum) {
  if (SumCarried(sum)) return true;
  const Graph& graph = values_.from();
  if (AddsIterations(graph, sum)) return false;
  const int64_t dim = DimOf(sum);
  const auto is_summed = [&](OpId id) { return IsSummed(id); };
  const auto is_narrow = [&](OpId id) { return IsNarrowTerm(graph.op(id)); };
  const std::vector<OpId>& terms = sum.operands;
  const bool adds = std::any_of(terms.begin(), terms.end(), is_summed) ||
                    (narrow_ && dim != kWhole && IsStoredHere(sum) &&
                     std::all_of(terms.begin(), terms.end(), is_narrow));
  if (!adds) return false;
  std::vector<OpId> operands;
  operands.reserve(terms.size());
  for (const OpId id : terms) {
    const auto made = early_.find(id);
    const bool is_early = made != early_.end() && made->second.first == dim;
    operands.push_back(IsSummed(id) ? values_.In(id, dim)
                       : is_early   ? made->second.second
                                    : SumOf(graph.op(id), dim));
  }
  values_.Set(sum.id, dim, values_.CloneLocal(sum, std::move(operands), dim));
  SetSummed(sum.id);
  return true;
}

// The dim that its weight is stored in parts of, where it is.
int64_t GradientSums::DimOf(const Op& gradient) const {
  const OpId weight = weights_[gradient.id];
  const bool is_of_table = weight != kNoOp && !tables_.empty() && tables_[weight];
  return is_of_table ? 1 : LargestDim(gradient.shape, values_.parts());
}

// Sums the terms on the cores: each core gets its part of `dim`, or all of it.
OpId GradientSums::SumOf(const Op& terms, int64_t dim) {
  const int64_t parts = values_.parts();
  const bool is_narrow = narrow_ && IsWidening(values_.from(), terms);
  const OpId own = values_.Whole(is_narrow ? terms.operands[0] : terms.id);
  GraphBuilder& b = values_.builder();
  values_.EnterContextOf(terms, terms.phase);
  const OpId sum = dim == kWhole ? b.AllReduce(own, parts, values_.axis())
                                 : b.ReduceScatter(own, dim, parts, values_.axis());
  return is_narrow ? values_.CloneLocal(terms, {sum}, dim) : sum;
}

void GradientSums::Sum(const Op& op) {
  // The sum is made where its terms are, so that the loop of the gradients ends
  // there, not at the sum over the parts of the batch.
  const Graph& graph = values_.from();
  if (narrow_ && IsStoredHere(op) && IsNarrowTerm(op) && !IsSummed(op.id) &&
      !IsCarried(graph, op)) {
    if (const int64_t dim = DimOf(op); dim != kWhole) {
      early_[op.id] = {dim, SumOf(op, dim)};
    }
  }
  if (op.kind == OpKind::kConvert && IsSummed(op.operands[0])) SetSummed(op.id);
  const bool sums = gradients_[op.id] && IsStoredHere(op) && !IsSummed(op.id);
  if (!sums) return;
  const int64_t dim = DimOf(op);
  values_.SetForUpdate(op.id, dim, SumOf(op, dim));
}

}  // namespace tilewise
