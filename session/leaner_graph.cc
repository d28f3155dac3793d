// Copies of the graph with a few ops replaced.

#include "session/leaner_graph.h"

#include <algorithm>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "sim/lowering/rewrite.h"

namespace tilewise {
namespace {

// Narrower results are no vocabulary: their logits are small.
constexpr int64_t kLeastVocabulary = 4096;
constexpr int64_t kPositionsDim = 1;

// [batch, positions, features] by [features, vocabulary], which only the loss
// reads.
bool IsLogits(const Graph& forward, const Op& op, int64_t tiles) {
  if (op.kind != OpKind::kDot || op.shape.rank() != 3 || !forward.users(op.id).empty()) {
    return false;
  }
  const DotDims& dot = op.as<DotAttrs>();
  const Op& weight = forward.operand(op, 1);
  const bool is_projection = dot.lhs_batch.empty() && dot.lhs_contract == std::vector<int64_t>{2} &&
                             weight.shape.rank() == 2;
  const Dim& positions = op.shape.dims[kPositionsDim];
  return is_projection && op.shape.size(2) >= kLeastVocabulary && !positions.per_batch &&
         positions.factor % tiles == 0;
}

const Op* FindLogits(const Graph& forward, int64_t tiles) {
  for (const Output& output : forward.outputs()) {
    if (output.role != Output::Role::kResult) continue;
    const Op& op = forward.op(output.value);
    if (IsLogits(forward, op, tiles)) return &op;
  }
  return nullptr;
}

int32_t LastLoop(const Graph& graph) {
  int32_t last = 0;
  for (const Op& op : graph.ops()) last = std::max(last, op.loop.id);
  return last;
}

std::optional<Graph> Made(absl::StatusOr<Graph> graph) {
  if (!graph.ok()) return std::nullopt;
  return *std::move(graph);
}

}  // namespace

std::optional<Graph> WithTiledLogits(const Graph& forward, int64_t tiles) {
  const Op* const logits = FindLogits(forward, tiles);
  if (logits == nullptr) return std::nullopt;
  GraphBuilder builder(forward.name());
  std::vector<OpId> made(forward.size(), kNoOp);
  const auto operands_of = [&](const Op& op) {
    std::vector<OpId> operands;
    for (const OpId id : op.operands) operands.push_back(made[id]);
    return operands;
  };
  for (const Op& op : forward.ops()) {
    if (op.id != logits->id) made[op.id] = builder.Clone(op, operands_of(op));
  }
  builder.SetLocation(logits->location);
  builder.SetPhase(logits->phase);
  builder.SetOrigin(logits->origin);
  EnclosingLoop loop = {.id = LastLoop(forward), .first = LastLoop(forward) + 1};
  const std::vector<OpId> operands = operands_of(*logits);
  const int64_t size = logits->shape.dims[kPositionsDim].factor / tiles;
  for (int64_t i = 0; i < tiles; ++i) {
    ++loop.id;
    builder.SetLoop(loop);
    builder.SetScope(fmt::format("{}/tile{}", logits->name, i + 1));
    const OpId part = builder.SliceDim(operands[0], kPositionsDim, i * size, (i + 1) * size);
    builder.AddOutput(builder.DotAs(part, operands[1], logits->as<DotAttrs>()),
                      Output::Role::kTile);
  }
  for (const Output& output : forward.outputs()) {
    if (output.value == logits->id) continue;
    builder.AddOutput(made[output.value], output.role,
                      output.variable == kNoOp ? kNoOp : made[output.variable]);
  }
  return Made(builder.Build());
}

std::optional<Graph> WithFlashAttention(const Graph& forward) {
  Rewrite rewrite(forward);
  bool any = false;
  for (const Op& op : forward.ops()) {
    if (op.kind != OpKind::kAttention || op.as<AttentionAttrs>().flash) {
      rewrite.Copy(op);
      continue;
    }
    any = true;
    Op flash = op;
    flash.edit<AttentionAttrs>().flash = true;
    rewrite.Replace(op, rewrite.builder().Clone(std::move(flash), rewrite.Operands(op)));
  }
  return any ? Made(rewrite.Finish()) : std::nullopt;
}

}  // namespace tilewise
