// Ops in order: leaves are placed, each other op works on the parts that its
// operands are in, where it can.

#include "sim/lowering/partition/axis_partition.h"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include "graph/op_traits.h"
#include "sim/lowering/lowering_traits.h"
#include "sim/lowering/partition/contraction.h"
#include "sim/lowering/partition/drop_unused.h"
#include "sim/lowering/partition/experts.h"
#include "sim/lowering/partition/gradient_sums.h"
#include "sim/lowering/partition/gradients.h"
#include "sim/lowering/partition/lookup.h"
#include "sim/lowering/partition/split_values.h"

namespace tilewise {
namespace {

// Returns for each op whether it is a variable that only the update uses: a
// slot of the optimizer.
std::vector<bool> FindSlots(const Graph& graph) {
  std::vector<bool> slots(graph.size(), false);
  for (const Op& op : graph.ops()) {
    if (op.kind != OpKind::kVariable || op.as<VariableAttrs>().trainable) continue;
    const auto users = graph.users(op.id);
    slots[op.id] = !users.empty() && std::all_of(users.begin(), users.end(), [&](OpId user) {
      return graph.op(user).phase == Phase::kUpdate;
    });
  }
  return slots;
}

class AxisPartition {
 public:
  AxisPartition(const Graph& graph, const SharedAxis& axis, Sharing sharing)
      : graph_(graph),
        sharing_(sharing),
        stores_(axis.stores),
        values_(graph, axis.name, axis.parts),
        slots_(FindSlots(graph)),
        weights_(FindWeightsOfGradients(graph)) {
    if (sharing_ == Sharing::kExperts) {
      experts_ = FindExperts(graph, axis.parts);
      all_to_all_.emplace(values_, experts_);
    } else if (!shares_work()) {
      const bool narrow = sharing_ == Sharing::kWeights;
      if (narrow) tables_ = FindTables(graph, axis.parts);
      sums_.emplace(values_, axis.stores, weights_, tables_, narrow);
    }
  }

  absl::StatusOr<Graph> Run() {
    for (const Op& op : graph_.ops()) {
      values_.Enter(op);
      Partition(op);
      if (sums_) sums_->Sum(op);
    }
    for (const Op& op : graph_.ops()) {
      values_.Enter(op);
      if (op.kind == OpKind::kVariable && values_.is_open(op.id)) {
        values_.Whole(op.id);
      }
    }
    for (const Output& output : graph_.outputs()) AddOutput(output);
    TW_ASSIGN_OR_RETURN(const Graph made, values_.Finish());
    return DropUnused(made);
  }

 private:
  bool shares_work() const {
    return sharing_ == Sharing::kWork || sharing_ == Sharing::kWorkAndSums;
  }

  void Partition(const Op& op) {
    if (op.kind == OpKind::kVariable) return PlaceVariable(op);
    if (MayStayOpen(op)) {
      values_.Open(op);
      MarkWeight(op);
      return;
    }
    if (all_to_all_ && all_to_all_->Partition(op)) return;
    if (all_to_all_ && op.kind == OpKind::kScatterAdd && IsForUpdate(graph_, op) &&
        all_to_all_->PartitionLookupGradient(op)) {
      return;
    }
    if (sharing_ == Sharing::kWeights && sums_->PartitionCarry(op)) return;
    const bool waits = TraitsOf(op.kind).waits || ClassOf(op.kind) == OpClass::kTransfer;
    if (waits) return PartitionBarrier(op);
    if (op.kind == OpKind::kGather && IsTable(op.operands[0]) &&
        PartitionTableLookup(values_, op)) {
      return;
    }
    if (op.kind == OpKind::kScatterAdd && !tables_.empty() && IsAddedUp(graph_, op) &&
        PartitionTableGradient(values_, op)) {
      return sums_->SetSummed(op.id);
    }
    if (op.kind == OpKind::kAdd && sums_ && sums_->PartitionAdd(op)) return;
    if (!SharesWork(op)) return MakeWhole(op);
    switch (ClassOf(op.kind)) {
      case OpClass::kMxu:
        return PartitionContraction(values_, op, weights_);
      case OpClass::kReduce:
        if (ReducesParts(op)) return PartitionReduce(op);
        break;
      case OpClass::kIndex:
        if (op.kind == OpKind::kGather && PartitionFreeLookup(values_, op)) {
          return;
        }
        if (PartitionStoredLookup(values_, op)) return;
        break;
      default:
        break;
    }
    MakeMapped(op);
  }

  bool IsStoredInParts(const Op& variable) const {
    if (!IsFloat(variable.shape.dtype)) return false;
    if (stores_ && !stores_(&variable)) return false;
    if (slots_[variable.id]) return true;
    return sharing_ == Sharing::kWeights && variable.as<VariableAttrs>().trainable;
  }

  void PlaceVariable(const Op& op) {
    values_.MarkWeight(op.id);
    if (shares_work() && (!stores_ || stores_(&op))) return values_.Open(op);
    const int64_t dim = StoredDim(op);
    values_.Set(op.id, dim, values_.CloneLocal(op, {}, dim));
  }

  int64_t StoredDim(const Op& variable) const {
    if (all_to_all_) return experts_[variable.id];
    if (!IsStoredInParts(variable)) return kWhole;
    return IsTable(variable.id) ? 1 : LargestDim(variable.shape, values_.parts());
  }

  bool IsTable(OpId id) const { return !tables_.empty() && tables_[id]; }

  bool MayStayOpen(const Op& op) const {
    const OpClass its_class = ClassOf(op.kind);
    if (op.operands.empty()) {
      return op.kind != OpKind::kParameter &&
             (its_class == OpClass::kLeaf || (its_class == OpClass::kRandom && shares_work()));
    }
    const bool follows =
        its_class == OpClass::kElementwise || LoweringTraitsOf(op.kind).follows_partition;
    return follows && std::all_of(op.operands.begin(), op.operands.end(),
                                  [&](OpId operand) { return values_.is_open(operand); });
  }

  void MarkWeight(const Op& op) {
    const bool is_of_one = op.operands.size() == 1 || TraitsOf(op.kind).waits;
    if (is_of_one && values_.is_weight(op.operands[0])) {
      values_.MarkWeight(op.id);
    }
  }

  // Weights that are stored in parts are cast to a narrower type in parts too:
  // less to gather.
  bool SharesWork(const Op& op) const {
    if (shares_work() || op.phase == Phase::kUpdate) return true;
    return op.kind == OpKind::kConvert && values_.is_weight(op.operands[0]) &&
           BitWidth(op.shape.dtype) < BitWidth(graph_.operand(op, 0).shape.dtype);
  }

  void MakeWhole(const Op& op) {
    std::vector<OpId> operands;
    for (const OpId operand : op.operands) {
      operands.push_back(values_.Whole(operand));
    }
    values_.SetWhole(op.id, values_.CloneLocal(op, operands, kWhole));
  }

  // What is kept is the sum, in the form that was asked for first: terms are no
  // sharding that a value of the program could have. What is the same on all
  // cores, or is once it is summed, goes to host memory in parts, as the
  // compiler's sharding of kept values has it.
  int64_t SplitOfKept(const Op& op) {
    int64_t split = values_.SplitOf(op.operands[0]);
    if (split == kPending) split = values_.SplitOfSum(op.operands[0]);
    if (op.kind != OpKind::kCopyToHost || !shares_work() || split >= 0) {
      return split;
    }
    const int64_t dim = LargestDim(op.shape, values_.parts());
    if (dim != kWhole) values_.Whole(op.operands[0]);
    return dim == kWhole ? split : dim;
  }

  // Partitions a barrier or a copy from the host. Only the first operand is a
  // value; the op waits for the others.
  void PartitionBarrier(const Op& op) {
    const int64_t split = SplitOfKept(op);
    std::vector<OpId> operands = {values_.In(op.operands[0], split)};
    for (size_t i = 1; i < op.operands.size(); ++i) {
      const OpId made = values_.Made(op.operands[i]);
      operands.push_back(made == kNoOp ? values_.Whole(op.operands[i]) : made);
    }
    MarkWeight(op);
    values_.Set(op.id, split, values_.CloneLocal(op, operands, split));
  }

  bool ReducesParts(const Op& op) const {
    if (op.kind != OpKind::kReduce) return false;
    const std::vector<int64_t>& dims = op.as<ReduceAttrs>().dims;
    const int64_t split = values_.SplitOf(op.operands[0]);
    return split >= 0 && std::find(dims.begin(), dims.end(), split) != dims.end();
  }

  void PartitionReduce(const Op& op) {
    const OpId part = values_.Part(op.operands[0], values_.SplitOf(op.operands[0]));
    const OpId reduced = values_.CloneLocal(op, {part}, kWhole);
    if (op.as<ReduceAttrs>().reducer == Reducer::kSum) {
      return values_.SetPending(op.id, reduced);
    }
    Op across = op;
    across.kind = OpKind::kAllReduce;
    across.attrs = CollectiveAttrs{.group_size = values_.parts(),
                                   .reducer = op.as<ReduceAttrs>().reducer,
                                   .axis = values_.axis()};
    across.name += "/all-reduce";
    values_.SetWhole(op.id, values_.builder().Clone(across, {reduced}));
  }

  // Sums of terms are terms of the sum.
  bool StaysPending(const Op& op) const {
    const auto keeps_terms = LoweringTraitsOf(op.kind).keeps_terms;
    if (keeps_terms == nullptr || !keeps_terms(op)) return false;
    return std::all_of(op.operands.begin(), op.operands.end(),
                       [&](OpId id) { return values_.SplitOf(id) == kPending; });
  }

  // The split of the result that the first operand in parts leads to; where
  // sums are kept in parts of positions, such parts before those of features.
  int64_t SplitOfResult(const Op& op) const {
    const int64_t parts = values_.parts();
    int64_t found = kWhole;
    for (size_t i = 0; i < op.operands.size(); ++i) {
      const int64_t split = values_.SplitOf(op.operands[i]);
      if (split < 0) continue;
      const auto result = ResultDim(graph_, op, i, split, parts);
      if (!result) continue;
      bool all = true;
      for (size_t j = 0; j < op.operands.size(); ++j) {
        all = all && OperandDim(graph_, op, j, *result, parts);
      }
      if (!all) continue;
      if (sharing_ != Sharing::kWorkAndSums) return *result;
      if (*result + 1 < op.shape.rank()) return *result;
      if (found == kWhole) found = *result;
    }
    return found;
  }

  // A residual stream: terms on the cores are summed where the sum is kept in
  // parts, as training frameworks annotate it, and matmuls gather it.
  int64_t SplitOfSum(const Op& op) const {
    if (ClassOf(op.kind) != OpClass::kElementwise || op.shape.rank() < 2) {
      return kWhole;
    }
    if (sharing_ != Sharing::kWorkAndSums) return kWhole;
    const bool sums = std::any_of(op.operands.begin(), op.operands.end(),
                                  [&](OpId id) { return values_.SplitOf(id) == kPending; });
    if (!sums) return kWhole;
    Shape positions = op.shape;  // features are what norms go over
    positions.dims.pop_back();
    return LargestDim(positions, values_.parts());
  }

  void MakeMapped(const Op& op) {
    if (StaysPending(op)) {
      std::vector<OpId> operands;
      for (const OpId id : op.operands) operands.push_back(values_.Pending(id));
      return values_.SetPending(op.id, values_.CloneLocal(op, operands, kPending));
    }
    int64_t split = SplitOfResult(op);
    if (split == kWhole) split = SplitOfSum(op);
    if (split == kWhole) return MakeWhole(op);
    std::vector<OpId> operands;
    for (size_t i = 0; i < op.operands.size(); ++i) {
      const int64_t dim = *OperandDim(graph_, op, i, split, values_.parts());
      operands.push_back(values_.In(op.operands[i], dim));
    }
    MarkWeight(op);
    values_.SetPart(op.id, split, values_.CloneLocal(op, operands, split));
  }

  void AddOutput(const Output& output) {
    values_.Enter(graph_.op(output.value));
    OpId variable = kNoOp;
    int64_t split = kWhole;
    if (output.role == Output::Role::kState) {
      split = values_.SplitOf(output.variable);
      variable = values_.Made(output.variable);
    }
    values_.builder().AddOutput(values_.In(output.value, split), output.role, variable);
  }

  const Graph& graph_;
  const Sharing sharing_;
  const std::function<bool(const Op*)> stores_;
  SplitValues values_;
  const std::vector<bool> slots_;
  const std::vector<OpId> weights_;  // by op that is a gradient
  std::vector<bool> tables_;         // by op: see FindTables
  std::optional<GradientSums> sums_;
  std::vector<int64_t> experts_;  // by op: see FindExperts
  std::optional<ExpertAllToAll> all_to_all_;
};

}  // namespace

absl::StatusOr<Graph> PartitionAxis(const Graph& graph, const SharedAxis& axis, Sharing sharing) {
  return AxisPartition(graph, axis, sharing).Run();
}

}  // namespace tilewise
