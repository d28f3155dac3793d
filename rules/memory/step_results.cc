// See step_results.h.

#include "rules/memory/step_results.h"

#include <algorithm>
#include <map>

namespace tilewise {
namespace {

// What tells shapes apart, in an order.
using ShapeKey = std::pair<DType, std::vector<int64_t>>;

ShapeKey KeyOf(const Op& op) { return {op.shape.dtype, op.shape.sizes()}; }

}  // namespace

StepResults ResultsOf(const Facts& facts) {
  const Graph& graph = *facts.source;
  std::vector<bool> taken(graph.size(), false);
  for (const OpId op : facts.workload.module.donated) {
    if (op >= 0 && op < graph.size()) taken[op] = true;
  }
  for (const WrittenConstant& constant : facts.workload.module.constants) {
    if (constant.op >= 0 && constant.op < graph.size()) {
      taken[constant.op] = true;
    }
  }
  for (const Output& output : graph.outputs()) {
    if (output.role != Output::Role::kState) continue;
    taken[output.variable] = true;
  }
  std::map<ShapeKey, std::vector<OpId>> free;
  for (auto op = graph.ops().rbegin(); op != graph.ops().rend(); ++op) {
    if (!IsArgument(*op) || taken[op->id]) continue;
    free[KeyOf(*op)].push_back(op->id);
  }
  StepResults results;
  for (const Output& output : graph.outputs()) {
    if (!output.is_result()) continue;
    const Op& result = graph.op(output.value);
    const auto at = free.find(KeyOf(result));
    if (at == free.end() || at->second.empty()) {
      results.other.push_back(result.id);
      continue;
    }
    results.kept.push_back(at->second.back());
    at->second.pop_back();
  }
  return results;
}

TotalBytes TotalOf(const Facts& facts, const std::vector<OpId>& ops) {
  TotalBytes result;
  Bytes most;
  for (const OpId op : ops) {
    const Bytes size = facts.source->op(op).shape.unpadded_bytes();
    result.total += size;
    if (result.largest != kNoOp && size <= most) continue;
    most = size;
    result.largest = op;
  }
  return result;
}

}  // namespace tilewise
