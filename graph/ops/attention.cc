// Attention, whole and as flash kernels. The gradient of the reference form
// keeps the weights of the forward pass; that of the flash form keeps only
// statistics of each row of scores and computes the scores again (Dao et al.,
// "FlashAttention", 2022).

#include "graph/attention.h"

#include <utility>

#include <fmt/format.h>

#include "graph/batch_links.h"
#include "graph/gradient.h"
#include "graph/moments.h"
#include "graph/shape_checks.h"

namespace tilewise {
namespace {

// Four dims, of which only the batch may be per batch, and the positions while
// they are followed.
absl::Status CheckHeads(Shapes operands, size_t operand) {
  const Shape& x = *operands[operand];
  TW_RETURN_IF_ERROR(CheckReal(operands, operand));
  bool is_static = x.rank() == 4;
  for (size_t i = 2; i < x.dims.size(); ++i) {
    is_static = is_static && !x.dims[i].per_batch;
  }
  if (is_static) return absl::OkStatus();
  return WrongOperand(operand, x, "[batch,positions,heads,depth]");
}

// q, k and v belong together; false positives of CheckSame name the operand.
absl::Status CheckQueryKeyValue(Shapes operands) {
  for (size_t i = 0; i < 3; ++i) TW_RETURN_IF_ERROR(CheckHeads(operands, i));
  const Shape& q = *operands[0];
  const Shape& k = *operands[1];
  Shape keys(q.dtype, {q.dims[0], k.dims[1], k.dims[2], q.dims[3]});
  TW_RETURN_IF_ERROR(CheckSame(operands, 1, keys));
  keys.dims[3] = operands[2]->dims[3];
  TW_RETURN_IF_ERROR(CheckSame(operands, 2, keys));
  if (q.dims[2].factor % k.dims[2].factor == 0) return absl::OkStatus();
  return InvalidInput(
      fmt::format("found {} heads and {} key heads, expected a multiple of the key heads",
                  q.dims[2].factor, k.dims[2].factor));
}

absl::Status CheckMask(Shapes operands, size_t operand) {
  const Shape& mask = *operands[operand];
  const Shape& q = *operands[0];
  const Shape scores(q.dtype, {q.dims[0], q.dims[2], q.dims[1], operands[1]->dims[1]});
  bool stretches = mask.rank() == 4 && (mask.dtype == DType::kPred || mask.dtype == q.dtype);
  for (size_t i = 0; i < mask.dims.size() && stretches; ++i) {
    stretches = mask.dims[i] == scores.dims[i] || mask.dims[i] == Dim{1, false};
  }
  if (stretches) return absl::OkStatus();
  return WrongOperand(operand, mask,
                      fmt::format("a mask that stretches to {}", FormatShape(scores)));
}

absl::Status CheckCount(size_t found, size_t without_mask) {
  if (found == without_mask || found == without_mask + 1) {
    return absl::OkStatus();
  }
  return InvalidInput(
      fmt::format("found {} operands, expected {} or {}", found, without_mask, without_mask + 1));
}

// A pair of sizes forward and one or two for the gradient, or none; a window of
// keys only with the mask that it narrows.
absl::Status CheckBlockSizes(const Op& op) {
  const auto& attrs = op.as<AttentionAttrs>();
  const int64_t seen = attrs.sliding_window;
  if (seen < 0 || (seen > 0 && !attrs.causal)) {
    return InvalidInput(
        fmt::format("found a sliding window of {} keys, expected none or a causal one", seen));
  }
  const std::vector<int64_t>& sizes = attrs.blocks;
  bool fits = sizes.empty() || sizes.size() == 4 || sizes.size() == 6;
  for (const int64_t size : sizes) fits = fits && size >= 1;
  if (fits) return absl::OkStatus();
  return InvalidInput(
      fmt::format("found {} sizes of blocks, expected none, four or six above zero", sizes.size()));
}

Shape Attended(Shapes operands) {
  Shape shape = *operands[0];
  shape.dims[3] = operands[2]->dims[3];
  return shape;
}

// One number per query, in all lanes of `registers` registers.
Shape InLanes(Shapes operands, int64_t registers) {
  const Shape& q = *operands[0];
  return {DType::kF32, {q.dims[0], q.dims[1], q.dims[2], {kStatisticLanes * registers, false}}};
}

// One number per query: [batch,heads,queries].
Shape Rows(Shapes operands) {
  const Shape& q = *operands[0];
  return {DType::kF32, {q.dims[0], q.dims[2], q.dims[1]}};
}

absl::Status CheckSpreadRows(Shapes operands) {
  TW_RETURN_IF_ERROR(CheckSame(operands, 3, InLanes(operands, 1)));
  TW_RETURN_IF_ERROR(CheckSame(operands, 4, InLanes(operands, 1)));
  TW_RETURN_IF_ERROR(CheckSame(operands, 7, InLanes(operands, 1)));
  const int64_t registers = AttentionKeyBlock(operands[1]->dims[1].factor) / kStatisticLanes;
  return CheckSame(operands, 8, InLanes(operands, registers));
}

absl::Status CheckOutputAndRows(Shapes operands) {
  TW_RETURN_IF_ERROR(CheckCount(operands.size(), 6));
  TW_RETURN_IF_ERROR(CheckSame(operands, 3, Attended(operands)));
  return CheckSame(operands, 4, Rows(operands));
}

ShapeOr AttentionShape(const Op& op, Shapes operands) {
  TW_RETURN_IF_ERROR(CheckBlockSizes(op));
  TW_RETURN_IF_ERROR(CheckCount(operands.size(), 3));
  TW_RETURN_IF_ERROR(CheckQueryKeyValue(operands));
  if (operands.size() == 4) TW_RETURN_IF_ERROR(CheckMask(operands, 3));
  return Attended(operands);
}

ShapeOr FlashAttentionShape(const Op& op, Shapes operands) {
  const auto& attrs = op.as<AttentionAttrs>();
  TW_ASSIGN_OR_RETURN(Shape output, AttentionShape(op, operands));
  TW_RETURN_IF_ERROR(CheckResultNumber(attrs.result, 4));
  if (attrs.result == 0) return output;
  return attrs.result == 1 ? Rows(operands) : InLanes(operands, 1);
}

ShapeOr FlashAttentionGradShape(const Op& op, Shapes operands) {
  const auto& attrs = op.as<AttentionAttrs>();
  TW_RETURN_IF_ERROR(CheckBlockSizes(op));
  if (operands.size() < 6) return CheckCount(operands.size(), 6);
  TW_RETURN_IF_ERROR(CheckQueryKeyValue(operands));
  TW_RETURN_IF_ERROR(operands.size() == 9 ? CheckSpreadRows(operands)
                                          : CheckOutputAndRows(operands));
  TW_RETURN_IF_ERROR(CheckSame(operands, 5, Attended(operands)));
  if (operands.size() > 6) TW_RETURN_IF_ERROR(CheckMask(operands, 6));
  TW_RETURN_IF_ERROR(CheckResultNumber(attrs.result, 3));
  return *operands[attrs.result];
}

OpId MaskOf(const GradientCall& call) {
  return call.op.operands.size() > 3 ? call.operand(3) : kNoOp;
}

// Returns the gradient of the scores after scale and mask, in f32: p (dp -
// sum(p dp)), and zero where the mask replaced the score.
OpId ScoresGradient(GraphBuilder& b, OpId weights, OpId dweights, OpId seen) {
  const OpId p = b.Convert(weights, DType::kF32);
  const OpId dp = b.Convert(dweights, DType::kF32);
  const std::vector<int64_t> keys = {b.shape(p).rank() - 1};
  const OpId sum = b.Reduce(Reducer::kSum, b.Binary(OpKind::kMultiply, p, dp), keys);
  const OpId dscores =
      b.Binary(OpKind::kMultiply, p, b.Binary(OpKind::kSubtract, dp, SpreadOver(b, sum, dp, keys)));
  if (seen == kNoOp) return dscores;
  return b.Select(seen, dscores, b.Constant(0, b.shape(dscores)));
}

Gradients ReferenceGradient(const GradientCall& call) {
  GraphBuilder& b = call.builder;
  const auto& attrs = call.op.as<AttentionAttrs>();
  const int64_t passes = attrs.precision_passes;
  const AttentionOperands in =
      GroupHeads(b, call.operand(0), call.operand(1), call.operand(2), MaskOf(call));
  // The result's gradient in the dims of the queries.
  const OpId dy = GroupHeads(b, call.dy, call.operand(1), call.operand(2), kNoOp).q;
  const OpId weights = AttentionWeights(b, in, attrs);
  Gradients result(call.op.operands.size(), kNoOp);
  if (call.wants(2)) {
    result[2] = SumOverQueries(b, weights, dy, in.is_grouped, passes);
  }
  const bool wants_mask = result.size() > 3 && call.wants(3);
  if (!call.wants(0) && !call.wants(1) && !wants_mask) return result;
  const OpId dweights = SumOverDepth(b, dy, in.v, in.is_grouped, passes);
  const OpId dscores = ScoresGradient(b, weights, dweights, SeenKeys(b, in, attrs));
  if (wants_mask) result[3] = ScoresToMask(b, dscores, in, call.shape(3));
  const OpId scaled =
      b.Convert(b.BinaryScalar(OpKind::kMultiply, dscores, attrs.scale), call.op.shape.dtype);
  if (call.wants(0)) {
    result[0] = SumOverKeys(b, scaled, in.k, in.is_grouped, passes);
  }
  if (call.wants(1)) {
    result[1] = SumOverQueries(b, scaled, in.q, in.is_grouped, passes);
  }
  return result;
}

// A further result of the forward kernel's run, in whose phase and loop the
// builder then is, until ReturnToGradient.
OpId Statistic(const GradientCall& call, int64_t number) {
  call.builder.SetPhase(call.run.phase);
  call.builder.SetLoop(call.run.loop);
  return call.builder.FlashAttention(call.run.operands, call.run.as<AttentionAttrs>(), number);
}

void ReturnToGradient(const GradientCall& call) {
  call.builder.SetPhase(Phase::kBackward);
  call.builder.SetLoop(GradientLoop(call.run.loop));
}

// These are the operands of the public kernel without a bias (JAX, Pallas,
// splash_attention): it has one number a row.
std::vector<OpId> PlainOperands(const GradientCall& call) {
  const OpId rows = Statistic(call, 1);
  ReturnToGradient(call);
  return {call.operand(0), call.operand(1), call.operand(2), call.op.id, rows, call.dy};
}

// [N,queries,heads] in each of so many lanes, in memory.
OpId Spread(GraphBuilder& b, OpId rows, int64_t lanes) {
  std::vector<Dim> dims = b.shape(rows).dims;
  dims.push_back({lanes, false});
  return b.Copy(b.Broadcast(rows, std::move(dims), {0, 1, 2}));
}

// One lane of a statistic that the forward kernel wrote to all, in all again.
OpId KeptStatistic(const GradientCall& call, int64_t number) {
  GraphBuilder& b = call.builder;
  const OpId all = Statistic(call, number);
  std::vector<Dim> dims = b.shape(all).dims;
  dims.pop_back();
  const OpId one = b.Reshape(b.SliceDim(all, 3, 0, 1), std::move(dims));
  ReturnToGradient(call);
  return Spread(b, one, kStatisticLanes);
}

// These are the operands of the public kernel with a bias (JAX, Pallas,
// flash_attention): it reads numbers of a row from all lanes, which XLA fills
// before the kernels run; the sum of output x doutput is there once for each
// sweep, for one of them as wide as a block.
std::vector<OpId> MaskedOperands(const GradientCall& call) {
  GraphBuilder& b = call.builder;
  const OpId sum = KeptStatistic(call, 2);
  const OpId maximum = KeptStatistic(call, 3);
  const OpId product = b.Binary(OpKind::kMultiply, b.Convert(call.op.id, DType::kF32),
                                b.Convert(call.dy, DType::kF32));
  const OpId dots = b.Reduce(Reducer::kSum, product, {3});
  const int64_t block = AttentionKeyBlock(b.shape(call.operand(1)).dims[1].factor);
  return {call.operand(0),
          call.operand(1),
          call.operand(2),
          sum,
          maximum,
          call.dy,
          MaskOf(call),
          Spread(b, dots, kStatisticLanes),
          Spread(b, dots, block)};
}

Gradients FlashGradient(const GradientCall& call) {
  GraphBuilder& b = call.builder;
  const auto& attrs = call.op.as<AttentionAttrs>();
  Gradients result(call.op.operands.size(), kNoOp);
  if (result.size() > 3 && call.wants(3)) {
    b.Fail(
        "found a trained mask of flash attention, expected one that needs no "
        "gradient, or attention without flash");
    return result;
  }
  const std::vector<OpId> operands =
      MaskOf(call) == kNoOp ? PlainOperands(call) : MaskedOperands(call);
  for (size_t i = 0; i < 3; ++i) {
    if (!call.wants(i)) continue;
    result[i] = b.FlashAttentionGrad(operands, attrs, static_cast<int64_t>(i));
  }
  return result;
}

Gradients AttentionGradient(const GradientCall& call) {
  return call.op.as<AttentionAttrs>().flash ? FlashGradient(call) : ReferenceGradient(call);
}

bool IsOutput(const Op& op) { return op.as<AttentionAttrs>().result == 0; }

// A mask may have a dim of size 1 there, whatever the batch is.
void LinkSequences(const LinkCall& call, size_t mask) {
  call.links.AddResult(0);
  for (size_t i = 0; i < call.op.operands.size(); ++i) {
    if (i != mask || call.shape(i).size(0) != 1) call.links.Add(i, 0);
  }
  call.links.Close();
}

void LinkAttention(const LinkCall& call) { LinkSequences(call, 3); }

void LinkAttentionGrad(const LinkCall& call) { LinkSequences(call, 6); }

constexpr auto kAttentionFields =
    FieldsOf<AttentionAttrs, &AttentionAttrs::blocks, &AttentionAttrs::causal,
             &AttentionAttrs::flash, &AttentionAttrs::precision_passes,
             &AttentionAttrs::query_parts, &AttentionAttrs::sliding_window, &AttentionAttrs::result,
             &AttentionAttrs::scale>("blocks", "causal", "flash", "precision_passes", "query_parts",
                                     "sliding_window", "result", "scale");

}  // namespace

constexpr OpTraits op_traits::kAttention = {.operands = OpTraits::kAtLeastOne,
                                            .attributes = kAttentionFields,
                                            .shape = AttentionShape,
                                            .gradient = AttentionGradient,
                                            .links = LinkAttention};
// q, k, v[, mask]. Results: 0 the output; f32, of the scores over the keys: 1
// the log-sum-exp, 2 the sum of exp(score - maximum), 3 the maximum.
constexpr OpTraits op_traits::kFlashAttention = {.operands = OpTraits::kAtLeastOne,
                                                 .attributes = kAttentionFields,
                                                 .shape = FlashAttentionShape,
                                                 .gradient = FlashGradient,
                                                 .has_gradient = IsOutput,
                                                 .links = LinkAttention};
// q, k, v, output, log-sum-exp, doutput[, mask]; or q, k, v, sum, maximum,
// doutput, mask, and the sum of output x doutput in all lanes of one register
// and of one block. Results: dq, dk, dv.
constexpr OpTraits op_traits::kFlashAttentionGrad = {.operands = OpTraits::kAtLeastOne,
                                                     .attributes = kAttentionFields,
                                                     .shape = FlashAttentionGradShape,
                                                     .links = LinkAttentionGrad};

}  // namespace tilewise
