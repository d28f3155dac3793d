// Elements in another order: reversals, rolls, running sums, largest elements.

#include <fmt/format.h>

#include "frontend/tensorflow/ops/families.h"
#include "frontend/tensorflow/ops/operands.h"
#include "library/broadcast.h"
#include "library/gather.h"
#include "library/reductions.h"
#include "library/term.h"

namespace tilewise::tf {
namespace {

absl::Status ReverseDims(OpContext& ctx, const std::vector<int64_t>& dims) {
  TW_ASSIGN_OR_RETURN(const OpId x, Tensor(ctx, 0));
  TW_ASSIGN_OR_RETURN(const auto axes, NormalAxes(dims, ctx.builder().shape(x).rank()));
  return ctx.Result(axes.empty() ? x : ctx.builder().Reverse(x, axes));
}

absl::Status ReverseV2(OpContext& ctx) {
  TW_ASSIGN_OR_RETURN(const auto dims, KnownList(ctx, 1, "axis"));
  return ReverseDims(ctx, dims);
}

// One truth value for each dim.
absl::Status Reverse(OpContext& ctx) {
  TW_ASSIGN_OR_RETURN(const auto flags, KnownList(ctx, 1, "dims"));
  std::vector<int64_t> dims;
  for (size_t i = 0; i < flags.size(); ++i) {
    if (flags[i] != 0) dims.push_back(static_cast<int64_t>(i));
  }
  return ReverseDims(ctx, dims);
}

// The first seq_lengths[n] steps of example n backwards: each step is taken
// from length - 1 - step where step < length.
absl::Status ReverseSequence(OpContext& ctx) {
  TW_ASSIGN_OR_RETURN(const OpId x, Tensor(ctx, 0));
  TW_ASSIGN_OR_RETURN(const OpId lengths, Tensor(ctx, 1));
  GraphBuilder& b = ctx.builder();
  const Shape from = b.shape(x);
  TW_ASSIGN_OR_RETURN(const int64_t time, NormalAxis(ctx.Int("seq_dim", 1), from.rank()));
  TW_ASSIGN_OR_RETURN(const int64_t batch, NormalAxis(ctx.Int("batch_dim", 0), from.rank()));
  if (time == batch) return InvalidInput("the batch dim is that of time");
  std::vector<int64_t> order = {batch, time}, back(from.dims.size(), 0);
  for (int64_t i = 0; i < from.rank(); ++i) {
    if (i != batch && i != time) order.push_back(i);
  }
  for (size_t i = 0; i < order.size(); ++i) {
    back[order[i]] = static_cast<int64_t>(i);
  }
  const bool moves = order != AllDims(from.rank());
  const OpId rows = moves ? b.Transpose(x, order) : x;
  const std::vector<Dim> dims(b.shape(rows).dims.begin(), b.shape(rows).dims.begin() + 2);
  const Term length(b, b.Broadcast(b.Convert(lengths, DType::kS32), dims, {0}));
  const Term step(b, b.Iota({DType::kS32, dims}, 1));
  const Term source = Where(Compared(Comparison::kLt, step, length), length - 1 - step, step);
  const OpId taken = TakeAlong(b, rows, source.id, 1, 1);
  return ctx.Result(moves ? b.Transpose(taken, back) : taken);
}

absl::Status Roll(OpContext& ctx) {
  TW_ASSIGN_OR_RETURN(OpId x, Tensor(ctx, 0));
  TW_ASSIGN_OR_RETURN(const auto shifts, KnownList(ctx, 1, "shift"));
  TW_ASSIGN_OR_RETURN(const auto axes, KnownList(ctx, 2, "axis"));
  if (shifts.size() != axes.size()) {
    return InvalidInput("shift and axis differ in length");
  }
  GraphBuilder& b = ctx.builder();
  const Shape from = b.shape(x);
  for (size_t i = 0; i < axes.size(); ++i) {
    TW_ASSIGN_OR_RETURN(const int64_t axis, NormalAxis(axes[i], from.rank()));
    const Dim dim = from.dims[axis];
    if (dim.per_batch) return InvalidInput("the batch is rolled");
    const int64_t shift = ((shifts[i] % dim.factor) + dim.factor) % dim.factor;
    if (shift == 0) continue;
    const OpId last = b.SliceDim(x, axis, dim.factor - shift, dim.factor);
    const OpId first = b.SliceDim(x, axis, 0, dim.factor - shift);
    x = b.Concatenate({last, first}, axis);
  }
  return ctx.Result(x);
}

template <Reducer kReducer>
absl::Status Cumulative(OpContext& ctx) {
  TW_ASSIGN_OR_RETURN(const OpId x, Tensor(ctx, 0));
  TW_ASSIGN_OR_RETURN(const int64_t axis, KnownSingle(ctx, 1, "axis"));
  return ctx.Result(CumulativeOf(ctx.builder(), kReducer, x, axis, ctx.Bool("exclusive", false),
                                 ctx.Bool("reverse", false)));
}

// log of the running sum of exp, the maximum of the dim taken out.
absl::Status CumulativeLogsumexp(OpContext& ctx) {
  TW_ASSIGN_OR_RETURN(const OpId op, Tensor(ctx, 0));
  TW_ASSIGN_OR_RETURN(int64_t axis, KnownSingle(ctx, 1, "axis"));
  GraphBuilder& b = ctx.builder();
  TW_ASSIGN_OR_RETURN(axis, NormalAxis(axis, b.shape(op).rank()));
  const Term x(b, op);
  const Term most(b, ReduceOf(b, Reduction::kMax, op, {axis}, true));
  const OpId running =
      b.Cumulative(Reducer::kSum, Exp(x - most).id, axis, ctx.Bool("reverse", false));
  return ctx.Result((Log(Term(b, running)) + most).id);
}

template <Reducer kReducer>
absl::Status ArgReduce(OpContext& ctx) {
  TW_ASSIGN_OR_RETURN(const OpId x, Tensor(ctx, 0));
  int64_t axis = 0;
  if (ctx.num_inputs() > 1) {
    TW_ASSIGN_OR_RETURN(axis, KnownSingle(ctx, 1, "dimension"));
  }
  GraphBuilder& b = ctx.builder();
  TW_ASSIGN_OR_RETURN(axis, NormalAxis(axis, b.shape(x).rank()));
  return ctx.Result(
      b.Convert(b.ArgReduce(kReducer, x, axis), TypeOr(ctx, "output_type", DType::kS64)));
}

absl::Status TopK(OpContext& ctx) {
  TW_ASSIGN_OR_RETURN(const OpId x, Tensor(ctx, 0));
  int64_t k = ctx.Int("k", 1);
  if (ctx.num_inputs() > 1) {
    TW_ASSIGN_OR_RETURN(k, KnownSingle(ctx, 1, "k"));
  }
  GraphBuilder& b = ctx.builder();
  const Shape from = b.shape(x);
  if (k < 1) return absl::OkStatus();
  if (from.rank() > 0 && from.dims.back().per_batch) {
    return InvalidInput("the largest of as many elements as the batch has");
  }
  ctx.Set(0, b.TopK(x, k, 0));
  ctx.Set(1, b.Convert(b.TopK(x, k, 1), TypeOr(ctx, "index_type", DType::kS32)));
  return absl::OkStatus();
}

// The k largest or smallest along one dim, and where they are.
absl::Status ApproxTopK(OpContext& ctx) {
  TW_ASSIGN_OR_RETURN(const OpId op, Tensor(ctx, 0));
  GraphBuilder& b = ctx.builder();
  const int64_t rank = b.shape(op).rank();
  TW_ASSIGN_OR_RETURN(const int64_t dim, NormalAxis(ctx.Int("reduction_dimension", -1), rank));
  if (dim != rank - 1 || b.shape(op).dims.back().per_batch) {
    return InvalidInput("the largest along another dim than the last");
  }
  const bool largest = ctx.Bool("is_max_k", true);
  const OpId x = largest ? op : b.Unary(OpKind::kNegate, op);
  const int64_t k = ctx.Int("k", 1);
  const OpId values = b.TopK(x, k, 0);
  ctx.Set(0, largest ? values : b.Unary(OpKind::kNegate, values));
  ctx.Set(1, b.TopK(x, k, 1));
  return absl::OkStatus();
}

// The n-th smallest of the last dim, or largest.
absl::Status NthElement(OpContext& ctx) {
  TW_ASSIGN_OR_RETURN(const OpId x, Tensor(ctx, 0));
  TW_ASSIGN_OR_RETURN(const int64_t n, KnownSingle(ctx, 1, "n"));
  GraphBuilder& b = ctx.builder();
  const int64_t last = b.shape(x).rank() - 1;
  const OpId sorted = b.Sort({x}, last, ctx.Bool("reverse", false));
  return ctx.Result(Squeezed(b, b.SliceDim(sorted, last, n, n + 1), {last}));
}

// Whether the target's score is among the k largest: fewer than k are larger.
absl::Status InTopK(OpContext& ctx) {
  TW_ASSIGN_OR_RETURN(const OpId scores, Tensor(ctx, 0));
  TW_ASSIGN_OR_RETURN(const OpId targets, Tensor(ctx, 1));
  int64_t k = ctx.Int("k", 1);
  if (ctx.num_inputs() > 2) {
    TW_ASSIGN_OR_RETURN(k, KnownSingle(ctx, 2, "k"));
  }
  GraphBuilder& b = ctx.builder();
  const OpId places = Unsqueezed(b, targets, {1});
  const Term target(b, TakeElements(b, scores, places, 1));
  const Term larger = Cast(Compared(Comparison::kGt, Term(b, scores), target), DType::kS32);
  return ctx.Result(Compared(Comparison::kLt, Sum(larger, {1}), static_cast<double>(k)).id);
}

constexpr OpEntry kOrderOps[] = {
    {"ApproxTopK", ApproxTopK},
    {"ArgMax", ArgReduce<Reducer::kMax>},
    {"ArgMin", ArgReduce<Reducer::kMin>},
    {"Cumprod", Cumulative<Reducer::kProduct>},
    {"Cumsum", Cumulative<Reducer::kSum>},
    {"CumulativeLogsumexp", CumulativeLogsumexp},
    {"InTopK", InTopK},
    {"InTopKV2", InTopK},
    {"NthElement", NthElement},
    {"Reverse", Reverse},
    {"ReverseSequence", ReverseSequence},
    {"ReverseV2", ReverseV2},
    {"Roll", Roll},
    {"TopK", TopK},
    {"TopKV2", TopK},
};

}  // namespace

std::span<const OpEntry> OrderOps() { return kOrderOps; }

}  // namespace tilewise::tf
