// What it costs to move data alone.

#include "rules/layout/move_cost.h"

#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "session/forward_values.h"

namespace tilewise {
namespace {

constexpr Bytes kMinBytes = {int64_t{256} << 10};
constexpr Bytes kMinData = {int64_t{64} << 10};

// Equal for moves that layers which are alike make.
std::string LikenessOf(const Program& program, OpId move) {
  const Op& op = program.graph.op(move);
  std::string text = fmt::format("{} {}", OpName(op.kind), LaidOut(program, move));
  for (const OpId operand : op.operands) text += LaidOut(program, operand);
  return text;
}

bool OnlyMoves(const Program& program, const Kernel& kernel) {
  return std::ranges::all_of(kernel.ops, [&](OpId id) {
    const OpClass its_class = ClassOf(program.graph.op(id).kind);
    return its_class == OpClass::kData || its_class == OpClass::kLeaf;
  });
}

}  // namespace

Bytes TrafficOf(const Kernel& kernel) {
  return (kernel.hbm_read + kernel.hbm_write) * kernel.repeat;
}

MoveCost MoveCostOfKernel(const Facts& facts, size_t index) {
  const Program& program = facts.model->program;
  const Kernel& kernel = program.kernels[index];
  MoveCost cost;
  cost.most_expensive = kernel.root;
  cost.time = facts.model->spans[index].duration;
  cost.bytes = TrafficOf(kernel);
  cost.at_once = kernel.hbm_read + kernel.hbm_write;
  if (OnlyMoves(program, kernel)) return cost;
  Bytes written;
  for (const OpId output : kernel.outputs) {
    written += StoredBytes(program, output, facts.target.chip);
  }
  cost.at_once = std::min(cost.at_once, written * 2);
  cost.bytes = cost.at_once * kernel.repeat;
  cost.time = std::min(cost.time, cost.bytes / facts.target.chip.hbm_bandwidth);
  return cost;
}

MoveCost MoveCostOf(const Facts& facts, OpId op, std::initializer_list<OpKind> kinds) {
  MoveCost total;
  Seconds most;
  for (const KernelId index : facts.model->KernelsOf(op)) {
    const Kernel& kernel = facts.model->program.kernels[index];
    if (kernel.kind != KernelKind::kCopy) continue;
    const OpKind kind = facts.model->program.graph.op(kernel.root).kind;
    if (std::ranges::find(kinds, kind) == kinds.end()) continue;
    const MoveCost cost = MoveCostOfKernel(facts, index);
    total.time += cost.time;
    total.bytes += cost.bytes;
    if (total.most_expensive != kNoOp && cost.time <= most) continue;
    most = cost.time;
    total.most_expensive = cost.most_expensive;
    total.at_once = cost.at_once;
  }
  return total;
}

std::vector<Moves> DearMoves(const Facts& facts, std::vector<Moves> moves, double min_share) {
  const Seconds costly = facts.StepTime() * min_share;
  std::vector<Moves> result;
  std::map<std::string, Moves> pools;
  for (Moves& move : moves) {
    const Op& moved = facts.model->program.graph.op(move.cost.most_expensive);
    const bool is_small = move.cost.at_once < kMinBytes || moved.shape.unpadded_bytes() < kMinData;
    if (is_small) continue;
    move.all = {move.op->id};
    if (move.cost.time >= costly) {
      result.push_back(std::move(move));
      continue;
    }
    const std::string key = LikenessOf(facts.model->program, move.cost.most_expensive);
    const auto [pool, is_new] = pools.try_emplace(key, move);
    if (is_new) continue;
    ++pool->second.count;
    pool->second.all.push_back(move.op->id);
    pool->second.cost.time += move.cost.time;
    pool->second.cost.bytes += move.cost.bytes;
  }
  for (const auto& [key, pool] : pools) {
    if (pool.cost.time >= costly) result.push_back(pool);
  }
  return result;
}

std::string OthersText(const Moves& moves) {
  if (moves.count == 1) return "";
  return fmt::format(", with {} more like it,", moves.count - 1);
}

}  // namespace tilewise
