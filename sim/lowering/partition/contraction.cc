// Every way to share a matrix op out is a triple of dims: of the two operands
// and of the result.

#include "sim/lowering/partition/contraction.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <set>
#include <utility>

namespace tilewise {
namespace {

// Splits of the operands and what the result then is.
struct DimSharing {
  int64_t lhs = kWhole;
  int64_t rhs = kWhole;
  int64_t result = kWhole;
  bool shares_groups = false;  // of a grouped convolution
};

int64_t FeatureDim(const Op& conv, const Shape& activation) {
  return conv.as<ConvAttrs>().channels_first ? 1 : activation.rank() - 1;
}

bool Has(const std::vector<int64_t>& dims, int64_t dim) {
  return std::find(dims.begin(), dims.end(), dim) != dims.end();
}

std::vector<DimSharing> DotSharings(const Graph& graph, const Op& op) {
  const DotDims& dot = op.as<DotAttrs>();
  std::vector<DimSharing> sharings;
  int64_t result = 0;
  for (size_t i = 0; i < dot.lhs_batch.size(); ++i) {
    sharings.push_back({dot.lhs_batch[i], dot.rhs_batch[i], result++});
  }
  const Shape& lhs = graph.operand(op, 0).shape;
  for (int64_t dim = 0; dim < lhs.rank(); ++dim) {
    if (Has(dot.lhs_batch, dim) || Has(dot.lhs_contract, dim)) continue;
    sharings.push_back({dim, kWhole, result++});
  }
  const Shape& rhs = graph.operand(op, 1).shape;
  for (int64_t dim = 0; dim < rhs.rank(); ++dim) {
    if (Has(dot.rhs_batch, dim) || Has(dot.rhs_contract, dim)) continue;
    sharings.push_back({kWhole, dim, result++});
  }
  for (size_t i = 0; i < dot.lhs_contract.size(); ++i) {
    sharings.push_back({dot.lhs_contract[i], dot.rhs_contract[i], kPending});
  }
  return sharings;
}

// Kernels are [spatial.., inputs, outputs]. A group keeps its inputs and
// outputs together.
std::vector<DimSharing> ConvolutionSharings(const Graph& graph, const Op& op) {
  const bool is_grouped = op.as<ConvAttrs>().groups > 1;
  const Shape& first = graph.operand(op, 0).shape;
  if (op.kind == OpKind::kConvKernelGrad) {
    const int64_t x = FeatureDim(op, first);
    const int64_t outputs = op.shape.rank() - 1;
    if (is_grouped) return {{x, x, outputs, true}, {0, 0, kPending}};
    return {{x, kWhole, outputs - 1}, {kWhole, x, outputs}, {0, 0, kPending}};
  }
  const Shape& kernel = graph.operand(op, 1).shape;
  const int64_t outputs = kernel.rank() - 1;
  const int64_t feature = FeatureDim(op, first);
  if (is_grouped) return {{0, kWhole, 0}, {feature, outputs, feature, true}};
  if (op.kind == OpKind::kConvInputGrad) {
    return {{0, kWhole, 0}, {kWhole, outputs - 1, feature}, {feature, outputs, kPending}};
  }
  return {{0, kWhole, 0}, {kWhole, outputs, feature}, {feature, outputs - 1, kPending}};
}

class Contraction {
 public:
  Contraction(SplitValues& values, const Op& op, const std::vector<OpId>& weights)
      : values_(values), op_(op), weights_(weights), lhs_(op.operands[0]), rhs_(op.operands[1]) {}

  void Run() {
    const bool is_free = values_.SplitOf(lhs_) < 0 && values_.SplitOf(rhs_) < 0;
    const DimSharing sharing = Choose().value_or(DimSharing{});
    Make(sharing);
    if (is_free && sharing.result >= 0 && FateOf(op_, sharing.result) == Fate::kJoinsWhole) {
      Join(sharing.result);
    }
  }

 private:
  const Shape& shape(OpId old) const { return values_.from().op(old).shape; }

  bool Divides(const Shape& shape, int64_t dim) const {
    return dim < 0 || shape.size(dim) % values_.parts() == 0;
  }

  std::vector<DimSharing> Possible() const {
    std::vector<DimSharing> possible = op_.kind == OpKind::kDot
                                           ? DotSharings(values_.from(), op_)
                                           : ConvolutionSharings(values_.from(), op_);
    std::erase_if(possible, [&](const DimSharing& sharing) {
      const bool groups =
          !sharing.shares_groups || op_.as<ConvAttrs>().groups % values_.parts() == 0;
      return !groups || !Divides(shape(lhs_), sharing.lhs) || !Divides(shape(rhs_), sharing.rhs) ||
             !Divides(op_.shape, sharing.result);
    });
    return possible;
  }

  std::optional<DimSharing> Choose() const {
    const int64_t lhs = values_.SplitOf(lhs_);
    const int64_t rhs = values_.SplitOf(rhs_);
    const std::vector<DimSharing> possible = Possible();
    if (lhs < 0 && rhs < 0) return ChooseForFreeWeight(possible);
    for (const DimSharing& sharing : possible) {
      if (LeavesWeightWhole(sharing)) continue;
      if (Fits(lhs_, lhs, sharing.lhs) && Fits(rhs_, rhs, sharing.rhs)) {
        return sharing;
      }
    }
    if (const auto free = ChooseForFreeWeight(possible)) return free;
    if (const auto stored = ChooseForUpdate(possible)) return stored;
    return Cheapest(possible, lhs, rhs);
  }

  // Activations that are in parts between matmuls are gathered for them.
  bool LeavesWeightWhole(const DimSharing& sharing) const {
    return (sharing.lhs == kWhole && values_.IsFreeWeight(lhs_)) ||
           (sharing.rhs == kWhole && values_.IsFreeWeight(rhs_));
  }

  bool Fits(OpId operand, int64_t split, int64_t wanted) const {
    if (split >= 0) return split == wanted;
    if (wanted == kWhole || !values_.IsFreeWeight(operand)) return true;
    return values_.CanStorePart(operand, wanted);
  }

  // Chooses the largest dim of the weight that is not contracted.
  std::optional<DimSharing> ChooseForFreeWeight(const std::vector<DimSharing>& possible) const {
    const bool lhs_free = values_.IsFreeWeight(lhs_);
    if (lhs_free == values_.IsFreeWeight(rhs_)) return std::nullopt;
    const OpId weight = lhs_free ? lhs_ : rhs_;
    std::optional<DimSharing> best;
    int64_t largest = 0;
    for (const DimSharing& sharing : possible) {
      const int64_t dim = lhs_free ? sharing.lhs : sharing.rhs;
      const int64_t other = lhs_free ? sharing.rhs : sharing.lhs;
      if (dim < 0 || other >= 0 || sharing.result < 0) continue;
      if (!values_.CanStorePart(weight, dim)) continue;
      if (FateOf(op_, sharing.result) == Fate::kBreaks) continue;
      if (shape(weight).size(dim) <= largest) continue;
      largest = shape(weight).size(dim);
      best = sharing;
    }
    return best;
  }

  // The compiler propagates the sharding of the weights, which are results of
  // the step, to the matmuls that make their gradients.
  std::optional<DimSharing> ChooseForUpdate(const std::vector<DimSharing>& possible) const {
    for (const DimSharing& sharing : possible) {
      if (sharing.result >= 0 && IsStoredSo(op_, sharing.result)) {
        return sharing;
      }
    }
    return std::nullopt;
  }

  // Whether `value`, made of this matmul's result, becomes the gradient of a
  // weight that is stored in parts of dim `dim`.
  bool IsStoredSo(const Op& value, int64_t dim) const {
    const OpId weight = weights_[value.id];
    if (weight != kNoOp) return values_.SplitOf(weight) == dim;
    const Graph& graph = values_.from();
    for (const OpId id : graph.users(value.id)) {
      const Op& user = graph.op(id);
      if (user.phase != value.phase || !KeepsValue(user)) continue;
      const auto next = ResultDim(graph, user, 0, dim, values_.parts());
      if (next && IsStoredSo(user, *next)) return true;
    }
    return false;
  }

  // What happens to parts of dim `dim` of the result of `op`.
  enum class Fate { kFollows, kBreaks, kJoinsWhole };
  // Reshapes may not keep them apart: heads that are fewer than the cores. A
  // sum with a value that is whole on every core or that is computed from this
  // one, a residual stream, wants them joined.
  Fate FateOf(const Op& op, int64_t dim) const {
    const Graph& graph = values_.from();
    Fate fate = Fate::kFollows;
    for (const OpId id : graph.users(op.id)) {
      const Op& user = graph.op(id);
      if (user.phase != op.phase || !KeepsValue(user)) continue;
      if (JoinsWhole(user, op.id)) return Fate::kJoinsWhole;
      const auto next = ResultDim(graph, user, 0, dim, values_.parts());
      const Fate its = next ? FateOf(user, *next) : Fate::kBreaks;
      if (its == Fate::kJoinsWhole) return its;
      if (its == Fate::kBreaks) fate = its;
    }
    return fate;
  }

  static bool KeepsValue(const Op& op) {
    return op.kind == OpKind::kReshape || op.kind == OpKind::kTranspose ||
           op.kind == OpKind::kConvert || op.kind == OpKind::kAdd;
  }

  bool JoinsWhole(const Op& sum, OpId value) const {
    if (sum.kind != OpKind::kAdd) return false;
    const OpId other = sum.operands[sum.operands[0] == value ? 1 : 0];
    if (other > op_.id) return IsBranch(other, value);
    return other < op_.id && !values_.is_open(other) && values_.SplitOf(other) == kWhole;
  }

  // Whether `other` is computed from `value` with matrix work in between.
  bool IsBranch(OpId other, OpId value) const {
    const Graph& graph = values_.from();
    std::vector<OpId> open = {other};
    std::set<OpId> seen;
    bool has_matrix = false;
    while (!open.empty()) {
      const OpId id = open.back();
      open.pop_back();
      if (id < value || !seen.insert(id).second) continue;
      const OpClass its_class = ClassOf(graph.op(id).kind);
      if (id == value) continue;
      has_matrix = has_matrix || its_class == OpClass::kMxu;
      for (const OpId operand : graph.op(id).operands) open.push_back(operand);
    }
    return has_matrix && seen.contains(value);
  }

  double MoveBytes(OpId operand, int64_t split, int64_t wanted) const {
    if (split < 0 || values_.Has(operand, wanted)) return 0;
    const auto bytes = static_cast<double>(shape(operand).unpadded_bytes().value);
    return wanted == kWhole ? bytes : bytes / static_cast<double>(values_.parts());
  }

  bool MovesWeight(OpId operand, int64_t split, int64_t wanted) const {
    return values_.is_weight(operand) && split >= 0 && split != wanted;
  }

  std::optional<DimSharing> Cheapest(const std::vector<DimSharing>& possible, int64_t lhs,
                                     int64_t rhs) const {
    std::optional<DimSharing> best;
    std::pair<bool, double> least = {true, std::numeric_limits<double>::infinity()};
    for (const DimSharing& sharing : possible) {
      double bytes = MoveBytes(lhs_, lhs, sharing.lhs) + MoveBytes(rhs_, rhs, sharing.rhs);
      if (sharing.result == kPending) {
        bytes += 2 * static_cast<double>(op_.shape.unpadded_bytes().value);
      }
      // Activations move to the weights, as in hand-written tensor parallelism:
      // a weight that moves comes back as a gradient, and what is computed of
      // the result has the other split.
      const bool moves_weight =
          MovesWeight(lhs_, lhs, sharing.lhs) || MovesWeight(rhs_, rhs, sharing.rhs);
      const std::pair<bool, double> cost = {moves_weight, bytes};
      if (cost >= least) continue;
      least = cost;
      best = sharing;
    }
    return best;
  }

  void Make(const DimSharing& sharing) {
    const OpId lhs = values_.In(lhs_, sharing.lhs);
    const OpId rhs = values_.In(rhs_, sharing.rhs);
    Op op = op_;
    if (sharing.shares_groups) op.edit<ConvAttrs>().groups /= values_.parts();
    values_.Set(op.id, sharing.result, values_.CloneLocal(op, {lhs, rhs}, sharing.result));
  }

  // Joins the parts, as all later uses see the whole result.
  void Join(int64_t dim) {
    const OpId part = values_.Part(op_.id, dim);
    values_.EnterContextOf(op_, op_.phase);
    values_.SetWhole(op_.id,
                     values_.builder().AllGather(part, dim, values_.parts(), values_.axis()));
  }

  SplitValues& values_;
  const Op& op_;
  const std::vector<OpId>& weights_;
  const OpId lhs_;
  const OpId rhs_;
};

}  // namespace

void PartitionContraction(SplitValues& values, const Op& op, const std::vector<OpId>& weights) {
  Contraction(values, op, weights).Run();
}

}  // namespace tilewise
