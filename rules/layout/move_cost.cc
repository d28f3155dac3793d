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

// Returns a text that is equal for moves that layers which are alike make.
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

void MoveCost::Add(const MoveCost& other) {
  time += other.time;
  bytes += other.bytes;
  if (most_expensive != kNoOp && other.most <= most) return;
  most = other.most;
  most_expensive = other.most_expensive;
  at_once = other.at_once;
}

MoveCost MoveCostOf(const Facts& facts, OpId op, const std::function<bool(const Op&)>& is_move) {
  MoveCost total;
  const Program& program = facts.model->program;
  for (const KernelId number : facts.model->KernelsOf(op)) {
    const size_t index = number;
    const Kernel& kernel = program.kernels[index];
    if (kernel.kind != KernelKind::kCopy || !is_move(program.graph.op(kernel.root))) continue;
    total.Add(MoveCostOfKernel(facts, index));
  }
  return total;
}

MoveCost MoveCostOfKernel(const Facts& facts, size_t index) {
  const Program& program = facts.model->program;
  const Kernel& kernel = program.kernels[index];
  MoveCost cost;
  cost.most_expensive = kernel.root;
  cost.time = cost.most = facts.model->spans[index].duration;
  cost.bytes = TrafficOf(kernel);
  cost.at_once = kernel.hbm_read + kernel.hbm_write;
  if (OnlyMoves(program, kernel)) return cost;
  Bytes written;
  for (const OpId output : kernel.outputs) {
    written += StoredBytes(program, output, facts.target.chip);
  }
  cost.at_once = std::min(cost.at_once, written * 2);
  cost.bytes = cost.at_once * kernel.repeat;
  cost.time = cost.most = std::min(cost.time, cost.bytes / facts.target.chip.hbm_bandwidth);
  return cost;
}

std::vector<Moves> CostlyMoves(const Facts& facts, double min_share,
                               const std::function<MoveCost(const Op&)>& cost_of) {
  const Seconds costly = facts.StepTime() * min_share;
  std::vector<Moves> result;
  std::map<std::string, Moves> pools;
  for (const Op& op : facts.source->ops()) {
    if (!op.location.known()) continue;
    const MoveCost cost = cost_of(op);
    if (cost.most_expensive == kNoOp) continue;
    const Op& moved = facts.model->program.graph.op(cost.most_expensive);
    if (cost.at_once < kMinBytes || moved.shape.unpadded_bytes() < kMinData) continue;
    const Moves move = {&op, 1, cost, {op.id}};
    if (cost.time >= costly) {
      result.push_back(move);
      continue;
    }
    const auto [pool, is_new] =
        pools.try_emplace(LikenessOf(facts.model->program, cost.most_expensive), move);
    if (is_new) continue;
    ++pool->second.count;
    pool->second.all.push_back(op.id);
    pool->second.cost.time += cost.time;
    pool->second.cost.bytes += cost.bytes;
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

std::string MoveText(const Facts& facts, const Moves& moves) {
  const Program& program = facts.model->program;
  const Op& move = program.graph.op(moves.cost.most_expensive);
  return fmt::format("the {} of {} to {}{} takes {} a step (simulated on {})",
                     OpName(moves.op->kind), LaidOut(program, move.operands[0]),
                     LaidOut(program, move.id), OthersText(moves), FormatSeconds(moves.cost.time),
                     facts.target.chip.name);
}

}  // namespace tilewise
