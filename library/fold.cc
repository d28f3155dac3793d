// First it is told which ops could be known, which is cheap; then they are
// computed. Kinds whose results are numbers of the model rather than sizes
// (products, random numbers, most functions) are never folded.

#include "library/fold.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "library/known_index.h"

namespace tilewise {
namespace {

// Ops of one node beyond which it is no arithmetic of shapes.
constexpr size_t kMaxFolded = 1024;

std::optional<KnownUnaryOp> FoldedUnary(OpKind kind) {
  switch (kind) {
    case OpKind::kNegate:
      return KnownUnaryOp::kNegate;
    case OpKind::kAbs:
      return KnownUnaryOp::kAbs;
    case OpKind::kSign:
      return KnownUnaryOp::kSign;
    case OpKind::kCeil:
      return KnownUnaryOp::kCeil;
    case OpKind::kFloor:
      return KnownUnaryOp::kFloor;
    case OpKind::kRoundNearestEven:
      return KnownUnaryOp::kRound;
    case OpKind::kSqrt:
      return KnownUnaryOp::kSqrt;
    case OpKind::kExp:
      return KnownUnaryOp::kExp;
    case OpKind::kLog:
      return KnownUnaryOp::kLog;
    case OpKind::kNot:
      return KnownUnaryOp::kNot;
    default:
      return std::nullopt;
  }
}

std::optional<KnownBinaryOp> FoldedBinary(const Op& op) {
  switch (op.kind) {
    case OpKind::kAdd:
      return KnownBinaryOp::kAdd;
    case OpKind::kSubtract:
      return KnownBinaryOp::kSubtract;
    case OpKind::kMultiply:
      return KnownBinaryOp::kMultiply;
    case OpKind::kDivide:
      return KnownBinaryOp::kDivide;
    case OpKind::kRemainder:
      return KnownBinaryOp::kRemainder;
    case OpKind::kPower:
      return KnownBinaryOp::kPower;
    case OpKind::kMaximum:
      return KnownBinaryOp::kMaximum;
    case OpKind::kMinimum:
      return KnownBinaryOp::kMinimum;
    case OpKind::kAnd:
      return KnownBinaryOp::kAnd;
    case OpKind::kOr:
      return KnownBinaryOp::kOr;
    case OpKind::kXor:
      return KnownBinaryOp::kXor;
    case OpKind::kCompare:
      return KnownComparison(op.as<CompareAttrs>().comparison);
    default:
      return std::nullopt;
  }
}

std::optional<KnownReducer> FoldedReducer(Reducer reducer) {
  switch (reducer) {
    case Reducer::kSum:
      return KnownReducer::kSum;
    case Reducer::kProduct:
      return KnownReducer::kProduct;
    case Reducer::kMax:
      return KnownReducer::kMax;
    case Reducer::kMin:
      return KnownReducer::kMin;
    case Reducer::kAnd:
      return KnownReducer::kAnd;
    case Reducer::kOr:
      return KnownReducer::kOr;
    default:
      return std::nullopt;
  }
}

// The dim whose indices a gather takes, when it takes all of the others.
std::optional<int64_t> TakenDim(const Op& op, const KnownValue& indices) {
  if (op.kind == OpKind::kGather) return 0;
  const GatherDims& dims = op.as<SlicesAttrs>();
  if (dims.start_dims.size() != 1 || dims.collapsed_dims != dims.start_dims ||
      !dims.operand_batch.empty() || dims.index_dim != indices.rank()) {
    return std::nullopt;
  }
  return dims.start_dims[0];
}

bool CanFold(const Op& op) {
  if (!op.shape.is_static()) return false;
  if (FoldedUnary(op.kind) || FoldedBinary(op)) return true;
  switch (op.kind) {
    case OpKind::kConstant:
    case OpKind::kIota:
    case OpKind::kConvert:
    case OpKind::kSelect:
    case OpKind::kReshape:
    case OpKind::kBroadcast:
    case OpKind::kTranspose:
    case OpKind::kReverse:
    case OpKind::kSlice:
    case OpKind::kConcatenate:
    case OpKind::kGather:
    case OpKind::kGatherSlices:
      return true;
    case OpKind::kReduce:
      return FoldedReducer(op.as<ReduceAttrs>().reducer).has_value();
    default:
      return false;
  }
}

MaybeKnown FoldedIota(const Op& op) {
  MaybeKnown counted = KnownFill({}, op.shape.sizes(), op.shape.dtype);
  const size_t dim = op.as<DimsAttrs>().dims[0];
  if (!counted) return counted;
  const int64_t stride = RowMajorStrides(counted->dims)[dim];
  for (int64_t i = 0; i < counted->size(); ++i) {
    counted->elements[i].value = static_cast<double>((i / stride) % counted->dims[dim]);
  }
  return counted;
}

MaybeKnown FoldedBroadcast(const Op& op, const KnownValue& x) {
  std::vector<int64_t> dims(op.shape.dims.size(), 1);
  const std::vector<int64_t>& mapping = op.as<BroadcastAttrs>().dims;
  for (size_t i = 0; i < mapping.size(); ++i) dims[mapping[i]] = x.dims[i];
  const MaybeKnown aligned = KnownReshape(x, std::move(dims));
  return aligned ? KnownExpand(*aligned, op.shape.sizes()) : std::nullopt;
}

MaybeKnown FoldedSlice(const Op& op, MaybeKnown part) {
  const auto& [starts, limits, strides] = op.as<SliceAttrs>();
  for (size_t i = 0; i < starts.size() && part; ++i) {
    const int64_t limit = limits[i] == kWholeDim ? part->dims[i] : limits[i];
    part = KnownSlice(*part, static_cast<int64_t>(i), starts[i], limit, strides[i]);
  }
  return part;
}

// `xs`: null where an operand is not known, which a selection may not need.
MaybeKnown FoldedSelect(std::span<const KnownValue* const> xs) {
  if (xs[0] == nullptr) return std::nullopt;
  const std::vector<KnownNumber>& choices = xs[0]->elements;
  const auto is_false = [](const KnownNumber& choice) { return choice.value == 0; };
  if (std::ranges::all_of(choices, is_false)) return xs[2] ? MaybeKnown(*xs[2]) : std::nullopt;
  if (std::ranges::none_of(choices, is_false)) return xs[1] ? MaybeKnown(*xs[1]) : std::nullopt;
  if (xs[1] == nullptr || xs[2] == nullptr) return std::nullopt;
  return KnownSelect(*xs[0], *xs[1], *xs[2]);
}

MaybeKnown FoldedConcat(const Op& op, std::span<const KnownValue* const> xs) {
  std::vector<KnownValue> parts;
  parts.reserve(xs.size());
  for (const KnownValue* x : xs) parts.push_back(*x);
  return KnownConcat(parts, op.as<DimsAttrs>().dims[0]);
}

MaybeKnown FoldedReverse(const Op& op, MaybeKnown x) {
  for (const int64_t dim : op.as<DimsAttrs>().dims) {
    if (!x) break;
    const int64_t size = x->dims[dim];
    x = KnownSlice(*x, dim, size - 1, -size - 1, -1);
  }
  return x;
}

MaybeKnown FoldedOp(const Op& op, std::span<const KnownValue* const> xs) {
  if (op.kind == OpKind::kSelect) return FoldedSelect(xs);
  if (std::ranges::find(xs, nullptr) != xs.end()) return std::nullopt;
  if (const auto unary = FoldedUnary(op.kind)) return KnownUnary(*unary, *xs[0]);
  if (const auto binary = FoldedBinary(op)) return KnownBinary(*binary, *xs[0], *xs[1]);
  switch (op.kind) {
    case OpKind::kConstant:
      return KnownFill({op.as<ConstantAttrs>().value, false}, op.shape.sizes(), op.shape.dtype);
    case OpKind::kIota:
      return FoldedIota(op);
    case OpKind::kConvert:
      return KnownCast(*xs[0], op.shape.dtype);
    case OpKind::kReshape:
      return KnownReshape(*xs[0], op.shape.sizes());
    case OpKind::kBroadcast:
      return FoldedBroadcast(op, *xs[0]);
    case OpKind::kTranspose:
      return KnownTranspose(*xs[0], op.as<TransposeAttrs>().dims);
    case OpKind::kReverse:
      return FoldedReverse(op, *xs[0]);
    case OpKind::kSlice:
      return FoldedSlice(op, *xs[0]);
    case OpKind::kConcatenate:
      return FoldedConcat(op, xs);
    case OpKind::kGather:
    case OpKind::kGatherSlices: {
      const std::optional<int64_t> dim = TakenDim(op, *xs[1]);
      return dim ? KnownGather(*xs[0], *xs[1], *dim) : std::nullopt;
    }
    case OpKind::kReduce:
      if (op.as<ReduceAttrs>().dims.empty()) return *xs[0];
      return KnownReduce(*FoldedReducer(op.as<ReduceAttrs>().reducer), *xs[0],
                         op.as<ReduceAttrs>().dims, false);
    default:
      return std::nullopt;
  }
}

// The ops since `first`, and what was known before.
class Folder {
 public:
  Folder(const GraphBuilder& builder, OpId first, std::span<const KnownOp> known)
      : builder_(builder), first_(first), known_(known) {}

  // Whether all of `results` could be known.
  bool Follow(std::span<const OpId> results) {
    for (OpId id = first_; id < builder_.size(); ++id) {
      const Op& op = builder_.op(id);
      can_.push_back(Given(id) != nullptr ||
                     (CanFold(op) && std::ranges::all_of(
                                         op.operands, [&](OpId operand) { return Can(operand); })));
    }
    return std::ranges::all_of(results, [&](OpId result) { return Can(result); });
  }

  void Compute() {
    made_.resize(can_.size());
    std::vector<const KnownValue*> xs;
    for (OpId id = first_; id < builder_.size(); ++id) {
      if (!Can(id) || Given(id) != nullptr) continue;
      const Op& op = builder_.op(id);
      xs.clear();
      for (const OpId operand : op.operands) xs.push_back(Of(operand));
      MaybeKnown made = FoldedOp(op, xs);
      if (!made || made->dims != op.shape.sizes()) continue;
      made->dtype = op.shape.dtype;
      made_[id - first_] = std::move(made);
    }
  }

  const KnownValue* Of(OpId id) const {
    const KnownValue* given = Given(id);
    if (given != nullptr || id < first_) return given;
    const MaybeKnown& made = made_[id - first_];
    return made ? &*made : nullptr;
  }

 private:
  const KnownValue* Given(OpId id) const {
    const auto at = std::ranges::find(known_, id, &KnownOp::first);
    return at == known_.end() ? nullptr : at->second;
  }
  bool Can(OpId id) const { return id < first_ ? Given(id) != nullptr : can_[id - first_]; }

  const GraphBuilder& builder_;
  OpId first_;
  std::span<const KnownOp> known_;
  std::vector<bool> can_;
  std::vector<MaybeKnown> made_;
};

}  // namespace

std::optional<std::vector<KnownValue>> FoldedResults(const GraphBuilder& builder, OpId first,
                                                     std::span<const KnownOp> known,
                                                     std::span<const OpId> results) {
  const size_t made = builder.size() - first.value();
  if (made > kMaxFolded || known.size() > kMaxFolded) return std::nullopt;
  Folder folder(builder, first, known);
  if (!folder.Follow(results)) return std::nullopt;
  folder.Compute();
  std::vector<KnownValue> values;
  values.reserve(results.size());
  for (const OpId result : results) {
    const KnownValue* value = folder.Of(result);
    if (value == nullptr) return std::nullopt;
    values.push_back(*value);
  }
  return values;
}

}  // namespace tilewise
