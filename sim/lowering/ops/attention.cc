// Flash attention (Dao et al., 2022): two matmuls per pair of blocks with an
// online softmax between them. The gradient is two sweeps, one for the queries'
// gradient and one for those of keys and values, as in the public TPU kernels;
// each computes the scores and the weights' gradient again: seven matmuls, of
// which five are useful. The sweep over keys contracts over queries: the kernel
// without a bias (JAX, Pallas, splash_attention) makes keys x queries at once,
// that with one (flash_attention) transposes weights and scores' gradient,
// fetches its operands anew for each pair of blocks, reads the rows' statistics
// from all lanes, and writes the bias's gradient whether it is used or not.
// The fused gradient of splash_attention is one sweep with the five matmuls,
// whose scores' gradient is transposed for the queries'.
// In the kernel without a bias matmuls and softmax run side by side, but each
// matmul of a pair of blocks waits for the one before it, and the array is
// filled anew; from that, and the cost of a step, the times published for v6e
// follow (docs/accuracy.md). With a bias the units take turns, as published
// times on v4 have it.
// Instructions per register of scores are ours, composed as those of the
// elementwise ops; a row is reduced over the lanes by one cross-lane
// instruction per register.

#include "sim/lowering/ops/attention.h"

#include <algorithm>
#include <array>

#include "base/math.h"
#include "graph/attention.h"
#include "sim/lowering/decompose/composite_op.h"
#include "sim/lowering/kernels/root_of_kernel.h"
#include "sim/lowering/lowering_traits.h"
#include "sim/lowering/partition/split_dims.h"
#include "sim/lowering/siblings.h"

namespace tilewise {
namespace {

// These are per register of f32 scores: scale, running max, subtract, exp (6
// and 1), sum, convert for the second matmul.
constexpr double kForwardAlu = 11;
constexpr double kForwardTranscendental = 1;
// Scale, subtract the row's log-sum-exp, exp, subtract and multiply for the
// gradient of the scores, scale, two converts.
constexpr double kBackwardAlu = 13;
constexpr double kBackwardTranscendental = 1;
constexpr double kMaskAlu = 2;     // compare or load, select
constexpr double kRescaleAlu = 2;  // of the accumulator, per block of keys

struct AttentionBlocks {
  int64_t query_rows = 0;  // of one block
  int64_t key_rows = 0;
  int64_t query_blocks = 0;
  int64_t visible = 0;  // pairs of blocks that are computed
  // Blocks of keys that the grid has for each of queries: as many as any sees.
  int64_t grid_keys = 0;
};

struct Heads {
  int64_t count = 0;  // batch x heads
  int64_t queries = 0;
  int64_t keys = 0;
  int64_t depth = 0;
  int64_t value_depth = 0;
};

Heads AttentionHeads(const OpContext& context, const Op& op) {
  const Shape& q = context.operand(op, 0).shape;
  const Shape& v = context.operand(op, 2).shape;
  return {q.size(0) * q.size(2), q.size(1), v.size(1), q.size(3), v.size(3)};
}

// Matmuls over pairs of blocks: `over_depth` contract the depth (scores and
// the weights' gradient), the others contract keys or queries.
struct Products {
  int64_t over_depth = 0;
  int64_t over_value_depth = 0;
  // The second sweep of a gradient makes so many of these a second time.
  int64_t again_over_depth = 0;
  int64_t again_over_value_depth = 0;
  int64_t all() const {
    return over_depth + over_value_depth + again_over_depth + again_over_value_depth;
  }
};

MatrixWork BlockMatmuls(const Heads& heads, const AttentionBlocks& blocks, const Products& products,
                        double visible_share, int64_t passes, const Chip& chip) {
  const int64_t side = chip.mxu_side;
  const int64_t key_tiles = CeilDiv(blocks.key_rows, side);
  MatrixWork work;
  work.passes = passes;
  work.rows_per_tile = RoundUp(blocks.query_rows, chip.sublanes);
  work.weight_tiles =
      heads.count * blocks.visible * key_tiles *
      ((products.over_depth + products.again_over_depth) * CeilDiv(heads.depth, side) +
       (products.over_value_depth + products.again_over_value_depth) *
           CeilDiv(heads.value_depth, side));
  work.padded_flops = 2.0 * static_cast<double>(work.weight_tiles) *
                      static_cast<double>(side * side) *
                      static_cast<double>(work.rows_per_tile * passes);
  const double scores = static_cast<double>(heads.count) * static_cast<double>(heads.queries) *
                        static_cast<double>(heads.keys) * visible_share;
  work.useful_flops = 2 * scores *
                      static_cast<double>(products.over_depth * heads.depth +
                                          products.over_value_depth * heads.value_depth);
  return work;
}

// Keys that the last query sees, at most.
int64_t Reach(const Heads& heads, const AttentionAttrs& attention) {
  const int64_t window = attention.sliding_window;
  return window > 0 ? std::min(window, heads.keys) : heads.keys;
}

// Share of the scores that the causal mask lets through: a query sees one more
// key than the one before it, up to its window. The first of more queries than
// keys see none.
double VisibleShare(const Heads& heads, const AttentionAttrs& attention) {
  if (!attention.causal) return 1;
  const int64_t queries = heads.queries * attention.query_parts;
  const int64_t seeing = std::min(queries, heads.keys);
  const int64_t first = heads.keys - seeing + 1;  // keys of the first of them
  const int64_t reach = Reach(heads, attention);
  const auto growing = static_cast<double>(std::clamp<int64_t>(reach - first + 1, 0, seeing));
  const auto widest = static_cast<double>(reach);
  const double seen = growing * (static_cast<double>(first) + (growing - 1) / 2) +
                      (static_cast<double>(seeing) - growing) * widest;
  return seen / static_cast<double>(queries) / static_cast<double>(heads.keys);
}

// Sizes of the blocks of one sweep, and how many sweeps there are.
struct Sweeps {
  int64_t query_rows = kAttentionBlock;
  int64_t key_rows = kAttentionBlock;
  int64_t count = 1;
};

// See AttentionAttrs.
Sweeps SweepsOf(const Op& op) {
  const std::vector<int64_t>& sizes = op.as<AttentionAttrs>().blocks;
  const bool is_gradient = op.kind == OpKind::kFlashAttentionGrad;
  if (sizes.size() < 4) return {.count = is_gradient ? 2 : 1};
  const size_t first = is_gradient ? 2 : 0;
  const auto pairs = static_cast<int64_t>(sizes.size()) / 2;
  return {.query_rows = sizes[first],
          .key_rows = sizes[first + 1],
          .count = is_gradient ? pairs - 1 : 1};
}

// The gradient of the public kernel with a bias (graph/ops/attention.cc).
bool IsBiasedGradient(const Op& op) {
  return op.kind == OpKind::kFlashAttentionGrad && op.operands.size() == 9;
}

// Returns which of the gradients of queries, keys and values are used.
std::array<bool, 3> WantedGradients(const OpContext& context, const Op& op) {
  std::array<bool, 3> wants = {};
  for (const OpId id : Siblings(context.program.graph, op)) {
    const int64_t result = context.program.graph.op(id).as<AttentionAttrs>().result;
    wants[result] = true;
  }
  return wants;
}

Products GradientMatmuls(const OpContext& context, const Op& op) {
  const std::array<bool, 3> wants = WantedGradients(context, op);
  const bool scores_gradient = wants[0] || wants[1];
  Products products;
  products.over_depth = 1 + (wants[0] ? 1 : 0) + (wants[1] ? 1 : 0);
  products.over_value_depth = (scores_gradient ? 1 : 0) + (wants[2] ? 1 : 0);
  if (wants[0] && (wants[1] || wants[2]) && SweepsOf(op).count > 1) {
    products.again_over_depth = 1;
    products.again_over_value_depth = wants[1] ? 1 : 0;
  }
  return products;
}

double RegistersOfRows(double rows, int64_t lanes_used, const Chip& chip) {
  return rows / static_cast<double>(chip.sublanes) *
         static_cast<double>(CeilDiv(lanes_used, chip.lanes));
}

// `transposed`: values in the place of the scores.
VectorWork SoftmaxWork(const Heads& heads, const AttentionBlocks& blocks, bool is_gradient,
                       bool is_masked, double sweeps, double transposed, const Chip& chip) {
  const double pairs = static_cast<double>(heads.count * blocks.visible);
  const double rows = static_cast<double>(blocks.query_rows);
  const double scores = pairs * RegistersOfRows(rows, blocks.key_rows, chip);
  VectorWork work;
  work.alu =
      sweeps * scores * ((is_gradient ? kBackwardAlu : kForwardAlu) + (is_masked ? kMaskAlu : 0));
  work.transcendental =
      sweeps * scores * (is_gradient ? kBackwardTranscendental : kForwardTranscendental);
  // Each pair of blocks reduces its rows over the lanes: max and sum forward.
  // The second matmul waits for the max alone; the sum overlaps it. The
  // sums of dout x output per row of the gradient are one per row.
  const double rows_reduced = RegistersOfRows(rows, 1, chip);
  work.cross_lane = is_gradient ? transposed * scores : rows_reduced * pairs;
  work.alu += is_gradient ? 0 : 2 * work.cross_lane;
  const double accumulator = RegistersOfRows(rows, heads.value_depth, chip);
  if (!is_gradient) work.alu += kRescaleAlu * accumulator * pairs;
  return work;
}

// The operand that is added to the scores, where there is one.
size_t MaskOperand(const Op& attention) {
  return attention.kind == OpKind::kFlashAttention ? 3 : 6;
}

bool HasBias(const Op& attention) { return attention.operands.size() > MaskOperand(attention); }

// The kernel goes over blocks of queries x blocks of keys, and skips blocks
// that the causal mask hides. Where it hides some from all queries, the grid of
// the public kernel without a bias leaves them out.
AttentionBlocks BlocksOf(const Heads& heads, const Op& op, const Chip& chip) {
  const auto& attrs = op.as<AttentionAttrs>();
  const int64_t parts = attrs.query_parts;
  const auto [queries, keys] = std::pair{heads.queries * parts, heads.keys};
  const int64_t reach = Reach(heads, attrs);
  const Sweeps sweeps = SweepsOf(op);
  AttentionBlocks blocks;
  blocks.query_rows = std::min(sweeps.query_rows, RoundUp(heads.queries, chip.sublanes));
  blocks.key_rows = std::min(sweeps.key_rows, RoundUp(keys, chip.lanes));
  blocks.query_blocks = CeilDiv(queries, blocks.query_rows);
  const int64_t key_blocks = CeilDiv(keys, blocks.key_rows);
  if (!attrs.causal) {
    blocks.query_blocks = CeilDiv(heads.queries, blocks.query_rows);
    blocks.visible = blocks.query_blocks * key_blocks;
    blocks.grid_keys = key_blocks;
    return blocks;
  }
  for (int64_t i = 0; i < blocks.query_blocks; ++i) {
    const int64_t first_query = i * blocks.query_rows;
    const int64_t last_query = std::min(queries, first_query + blocks.query_rows) - 1;
    const int64_t last_key = last_query + keys - queries;
    if (last_key < 0) continue;
    const int64_t first_key = std::max<int64_t>(0, first_query + keys - queries - reach + 1);
    const int64_t seen = last_key / blocks.key_rows - first_key / blocks.key_rows + 1;
    blocks.visible += seen;
    blocks.grid_keys = std::max(blocks.grid_keys, seen);
  }
  blocks.query_blocks = CeilDiv(blocks.query_blocks, parts);
  blocks.visible = CeilDiv(blocks.visible, parts);
  return blocks;
}

Bytes KeyRereads(const OpContext& context, const Op& op) {
  const Op& k = context.operand(op, 1);
  const Op& v = context.operand(op, 2);
  const Bytes both = context.padded(k) + context.padded(v);
  const int64_t heads = k.shape.size(0) * k.shape.size(2);
  const Bytes of_head = {CeilDiv(both.value, heads)};
  if (2 * of_head <= context.chip.vmem_window_budget) return {};
  const Heads sizes = AttentionHeads(context, op);
  const AttentionBlocks blocks = BlocksOf(sizes, op, context.chip);
  const int64_t key_blocks = CeilDiv(sizes.keys, blocks.key_rows);
  const int64_t members = context.operand(op, 0).shape.size(2) / k.shape.size(2);
  const double times =
      static_cast<double>(members * blocks.visible) / static_cast<double>(key_blocks);
  return {static_cast<int64_t>(std::max(0.0, times - 1) * static_cast<double>(both.value))};
}

// The public TPU kernels fetch the mask so: the forward pass fetches no blocks
// that the causal mask hides; each sweep of a gradient fetches all of it.
Bytes MaskRereads(const OpContext& context, const Op& op) {
  const size_t place = MaskOperand(op);
  if (op.operands.size() <= place) return {};
  const Bytes mask = context.padded(context.operand(op, static_cast<int>(place)));
  if (op.kind == OpKind::kFlashAttentionGrad) {
    const bool again = GradientMatmuls(context, op).again_over_depth > 0;
    return again ? mask : Bytes{};
  }
  const Heads heads = AttentionHeads(context, op);
  const AttentionBlocks blocks = BlocksOf(heads, op, context.chip);
  const int64_t all = blocks.query_blocks * CeilDiv(heads.keys, blocks.key_rows);
  return {-mask.value * (all - blocks.visible) / all};
}

Bytes ScaledBytes(double times, Bytes bytes) {
  return {static_cast<int64_t>(times * static_cast<double>(bytes.value))};
}

// These bytes come on top of one reading of each operand. The sweep over
// queries fetches keys and values for every pair of blocks that it computes,
// that over keys whatever belongs to queries; sums and maxima for hidden pairs
// as well. It reads one register a row of the widest operand.
Bytes BiasedGradientRereads(const OpContext& context, const Op& op) {
  const auto padded = [&](int operand) { return context.padded(context.operand(op, operand)); };
  const Heads heads = AttentionHeads(context, op);
  const AttentionBlocks blocks = BlocksOf(heads, op, context.chip);
  const auto query_blocks = static_cast<double>(blocks.query_blocks);
  const auto key_blocks = static_cast<double>(CeilDiv(heads.keys, blocks.key_rows));
  const auto visible = static_cast<double>(blocks.visible);
  const Shape& widest = context.operand(op, 8).shape;
  const auto registers = static_cast<double>(CeilDiv(widest.size(3), kStatisticLanes));
  const std::array<bool, 3> wants = WantedGradients(context, op);
  const bool keys_sweep = wants[1] || wants[2];
  Bytes bytes = ScaledBytes(1 / registers - 1, padded(8));
  if (wants[0]) {
    const double times = visible / key_blocks - (keys_sweep ? 0 : 1);
    bytes += ScaledBytes(times, padded(1) + padded(2));
  }
  if (keys_sweep) {
    const double once = wants[0] ? 0 : 1;
    bytes += ScaledBytes(visible / query_blocks - once, padded(0) + padded(5));
    bytes += ScaledBytes(visible / query_blocks - 1, padded(7));
    bytes += ScaledBytes(key_blocks - once, padded(3) + padded(4));
  }
  return bytes;
}

Bytes AttentionRereads(const OpContext& context, const Op& op) {
  const Bytes others =
      IsBiasedGradient(op) ? BiasedGradientRereads(context, op) : KeyRereads(context, op);
  return others + MaskRereads(context, op);
}

Bytes AttentionUnusedResults(const OpContext& context, const Op& op) {
  const bool writes = IsBiasedGradient(op) && WantedGradients(context, op)[0];
  return writes ? context.padded(context.operand(op, 6)) : Bytes{};
}

OpWork AttentionWork(const OpContext& context, const Op& op) {
  const auto& attrs = op.as<AttentionAttrs>();
  const bool is_gradient = op.kind == OpKind::kFlashAttentionGrad;
  const Heads heads = AttentionHeads(context, op);
  const AttentionBlocks blocks = BlocksOf(heads, op, context.chip);
  const Products products = is_gradient ? GradientMatmuls(context, op) : Products{1, 1};
  const bool is_masked = attrs.causal || HasBias(op);
  OpWork work;
  work.matrix = BlockMatmuls(heads, blocks, products, VisibleShare(heads, attrs),
                             attrs.precision_passes, context.chip);
  work.matrix.in_turns = HasBias(op);
  if (!HasBias(op)) {
    work.matrix.fills = CeilDiv(heads.count * blocks.visible * products.all(),
                                context.chip.tensor_cores_per_device);
  }
  const bool again = products.again_over_depth > 0;
  const bool one_sweep = is_gradient && SweepsOf(op).count == 1;
  const double transposed = IsBiasedGradient(op) ? (again ? 2 : 0) : (one_sweep ? 1 : 0);
  work.vector =
      SoftmaxWork(heads, blocks, is_gradient, is_masked, again ? 2 : 1, transposed, context.chip);
  return work;
}

// The kernel reads each operand once. It reads again: keys and values where one
// head's do not stay in VMEM while its query blocks pass, the mask for a second
// sweep, and, in the gradient with a bias, whatever changes from one pair of
// blocks to the next. The sum is negative where parts of an operand are
// skipped. Results that the program has no use for are written to a buffer that
// is not counted.
void SetAttentionTraffic(const RootOfKernel& root, Kernel& kernel) {
  kernel.hbm_read += AttentionRereads(root.context, root.op);
  kernel.hbm_write += AttentionUnusedResults(root.context, root.op);
}

// Rows of one head: [positions, depth].
bool IsByHead(const DimOrder& order) { return order.size() != 4 || order == TiledOrder(4, 3, 1); }

bool AcceptsHeads(const Op& op, size_t index, const DimOrder& order) {
  return index == MaskOperand(op) ? order == LogicalOrder(static_cast<int64_t>(order.size()))
                                  : IsByHead(order);
}

bool AcceptsResultHeads(const Graph&, const Op&, const DimOrder& order) { return IsByHead(order); }

// Heads: the only dim along which the parts of one attention are independent
// and which no data parallelism has taken.
std::optional<int64_t> AttentionOperandDim(const Graph& graph, const Op& op, size_t operand,
                                           int64_t dim) {
  const auto heads = [](const Shape& shape) -> int64_t { return shape.rank() == 3 ? 1 : 2; };
  if (dim != heads(op.shape)) return std::nullopt;
  const size_t mask = op.kind == OpKind::kFlashAttention ? 3 : 6;
  const Shape& shape = graph.operand(op, static_cast<int>(operand)).shape;
  if (operand == mask) return shape.size(1) == 1 ? kWhole : 1;
  // The only key head is read by all queries.
  const bool is_key = operand == 1 || operand == 2;
  if (op.kind == OpKind::kFlashAttention && is_key && (shape.rank() == 3 || shape.size(2) == 1)) {
    return kWhole;
  }
  return heads(shape);
}

// One kernel that keeps no scores, or dots around a softmax, which is
// decomposed in its turn.
OpId Attention(const CompositeOp& parts) {
  GraphBuilder& b = parts.b;
  const auto& attrs = parts.op.as<AttentionAttrs>();
  if (attrs.flash) return b.FlashAttention(parts.operands, attrs, 0);
  const OpId mask = parts.operands.size() > 3 ? parts.operands[3] : kNoOp;
  const AttentionOperands operands =
      GroupHeads(b, parts.operands[0], parts.operands[1], parts.operands[2], mask);
  const OpId weights = AttentionWeights(b, operands, attrs);
  return AttentionResult(b, operands, weights, attrs);
}

}  // namespace

int64_t AttentionSteps(const OpContext& context, const Op& op) {
  if (HasBias(op)) return 0;
  const Heads heads = AttentionHeads(context, op);
  const AttentionBlocks blocks = BlocksOf(heads, op, context.chip);
  const int64_t pairs = blocks.query_blocks * blocks.grid_keys;
  const bool two_sweeps =
      op.kind == OpKind::kFlashAttentionGrad && GradientMatmuls(context, op).again_over_depth > 0;
  return CeilDiv(heads.count * pairs * (two_sweeps ? 2 : 1), context.chip.tensor_cores_per_device);
}

constexpr LoweringTraits lowering_traits::kAttention = {.decompose = Attention};
constexpr LoweringTraits lowering_traits::kFlashAttention = {.operand_dim = AttentionOperandDim,
                                                             .accepts_operand = AcceptsHeads,
                                                             .accepts_result = AcceptsResultHeads,
                                                             .kernel = KernelKind::kAttention,
                                                             .work = AttentionWork,
                                                             .set_traffic = SetAttentionTraffic};
constexpr LoweringTraits lowering_traits::kFlashAttentionGrad = {
    .operand_dim = AttentionOperandDim,
    .accepts_operand = AcceptsHeads,
    .accepts_result = AcceptsResultHeads,
    .kernel = KernelKind::kAttention,
    .work = AttentionWork,
    .set_traffic = SetAttentionTraffic};

}  // namespace tilewise
