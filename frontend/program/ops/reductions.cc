// Sums and the like over dims, running ones, and orders.

#include "library/reductions.h"

#include "frontend/program/ops/made.h"

namespace tilewise::program {
namespace {

constexpr std::array<std::pair<std::string_view, Reduction>, 19> kReductions = {{
    {"sum", Reduction::kSum},
    {"mean", Reduction::kMean},
    {"max", Reduction::kMax},
    {"min", Reduction::kMin},
    {"product", Reduction::kProduct},
    {"prod", Reduction::kProduct},
    {"all", Reduction::kAll},
    {"any", Reduction::kAny},
    {"and", Reduction::kAll},
    {"or", Reduction::kAny},
    {"variance", Reduction::kVariance},
    {"var", Reduction::kVariance},
    {"std", Reduction::kDeviation},
    {"deviation", Reduction::kDeviation},
    {"logsumexp", Reduction::kLogSumExp},
    {"logsum", Reduction::kLogSum},
    {"l1", Reduction::kL1},
    {"l2", Reduction::kL2},
    {"sum_square", Reduction::kSumSquare},
}};

constexpr std::array<std::pair<std::string_view, Reducer>, 7> kReducers = {{
    {"sum", Reducer::kSum},
    {"max", Reducer::kMax},
    {"min", Reducer::kMin},
    {"product", Reducer::kProduct},
    {"prod", Reducer::kProduct},
    {"and", Reducer::kAnd},
    {"or", Reducer::kOr},
}};

// Reduces all dims when none are given; an empty list gives x itself.
void ReduceCall(OpCall& call) {
  const Reduction* kind = OfKind(call, kReductions, "sum");
  const OpId x = call.AnyInput(0);
  if (!call.ok()) return;
  const auto dims = ListOf(call, "dims");
  GraphBuilder& b = call.builder();
  call.Set(0, ReduceOf(b, *kind, x, dims ? *dims : AllDims(b, x), call.Bool("keep", false)));
}

void ArgReduceCall(OpCall& call) {
  const Reducer* kind = OfKind(call, kReducers, "max");
  const OpId x = call.Input(0);
  if (!call.ok()) return;
  const OpId index =
      ArgReduceOf(call.builder(), *kind, x, call.Int("dim", -1), call.Bool("keep", false));
  call.Set(0, call.builder().Convert(index, TypeOf(call, DType::kS32)));
}

void CumulativeCall(OpCall& call) {
  const Reducer* kind = OfKind(call, kReducers, "sum");
  const OpId x = call.AnyInput(0);
  if (!call.ok()) return;
  call.Set(0, CumulativeOf(call.builder(), *kind, x, call.Int("dim", 0),
                           call.Bool("exclusive", false), call.Bool("reverse", false)));
}

// Keys, then values: each in the order of the keys.
void SortCall(OpCall& call) {
  const std::vector<OpId> all = call.Inputs(0, call.num_inputs());
  if (!call.ok() || all.empty()) return call.Fail("found nothing to sort");
  GraphBuilder& b = call.builder();
  const int64_t dim = DimOf(b, call.Int("dim", -1), b.shape(all[0]).rank());
  for (size_t i = 0; i < all.size() && call.ok(); ++i) {
    const auto result = static_cast<int64_t>(i);
    if (call.Wants(i)) call.Set(result, b.Sort(all, dim, call.Bool("descending", false), result));
  }
}

// Indices in the order of the elements.
void ArgSortCall(OpCall& call) {
  const OpId x = call.Input(0);
  if (!call.ok()) return;
  GraphBuilder& b = call.builder();
  const int64_t dim = DimOf(b, call.Int("dim", -1), b.shape(x).rank());
  if (!call.ok()) return;
  const OpId places = b.Iota(b.shape(x).WithType(DType::kS32), dim);
  const OpId order = b.Sort({x, places}, dim, call.Bool("descending", false), 1);
  call.Set(0, b.Convert(order, TypeOf(call, DType::kS32)));
}

// The last dim is the one that is searched.
void TopKCall(OpCall& call) {
  const OpId x = call.Input(0);
  const int64_t k = call.Int("k", 1);
  GraphBuilder& b = call.builder();
  call.Set(0, b.TopK(x, k, 0));
  if (call.Wants(1)) call.Set(1, b.Convert(b.TopK(x, k, 1), TypeOf(call, DType::kS32)));
}

constexpr OpEntry kReductionOps[] = {
    {"reduce", ReduceCall}, {"arg_reduce", ArgReduceCall}, {"cumulative", CumulativeCall},
    {"sort", SortCall},     {"arg_sort", ArgSortCall},     {"top_k", TopKCall},
};

}  // namespace

std::span<const OpEntry> ReductionOps() { return kReductionOps; }

}  // namespace tilewise::program
