// Reductions, running ones and those that give indices.

#include "frontend/onnx/ops/made.h"
#include "library/reductions.h"

namespace tilewise::onnx {
namespace {

template <Reduction kReduction>
void Reduce(NodeContext& ctx) {
  auto axes = ctx.IntsOrInput("axes", 1);
  if (!ctx.ok()) return;
  const bool keep = ctx.Int("keepdims", 1) != 0;
  const bool none = !axes || axes->empty();
  if (none && ctx.Int("noop_with_empty_axes", 0) != 0) {
    return ctx.Forward(0, 0);
  }
  const OpId x = ctx.AnyInput(0);
  if (none) axes = AllDims(ctx.builder(), x);
  ctx.Set(0, ReduceOf(ctx.builder(), kReduction, x, *axes, keep));
}

template <Reducer kReducer>
void Arg(NodeContext& ctx) {
  const OpId index = ArgReduceOf(ctx.builder(), kReducer, ctx.Input(0), ctx.Int("axis", 0),
                                 ctx.Int("keepdims", 1) != 0, ctx.Int("select_last_index", 0) != 0);
  ctx.Set(0, ctx.builder().Convert(index, DType::kS64));
}

template <Reducer kReducer>
void Running(NodeContext& ctx) {
  const std::optional<int64_t> axis = ctx.KnownInt(1);
  if (!axis) return ctx.Fail("found an axis that is not known");
  ctx.Set(0, CumulativeOf(ctx.builder(), kReducer, ctx.Input(0), *axis,
                          ctx.Int("exclusive", 0) != 0, ctx.Int("reverse", 0) != 0));
}

constexpr OpEntry kReductionOps[] = {
    {kStandard, "ReduceSum", Reduce<Reduction::kSum>},
    {kStandard, "ReduceMean", Reduce<Reduction::kMean>},
    {kStandard, "ReduceMax", Reduce<Reduction::kMax>},
    {kStandard, "ReduceMin", Reduce<Reduction::kMin>},
    {kStandard, "ReduceProd", Reduce<Reduction::kProduct>},
    {kStandard, "ReduceL1", Reduce<Reduction::kL1>},
    {kStandard, "ReduceL2", Reduce<Reduction::kL2>},
    {kStandard, "ReduceSumSquare", Reduce<Reduction::kSumSquare>},
    {kStandard, "ReduceLogSum", Reduce<Reduction::kLogSum>},
    {kStandard, "ReduceLogSumExp", Reduce<Reduction::kLogSumExp>},
    {kStandard, "ArgMax", Arg<Reducer::kMax>},
    {kStandard, "ArgMin", Arg<Reducer::kMin>},
    {kStandard, "CumSum", Running<Reducer::kSum>},
    {kStandard, "CumProd", Running<Reducer::kProduct>},
};

}  // namespace

std::span<const OpEntry> ReductionOps() { return kReductionOps; }

}  // namespace tilewise::onnx
