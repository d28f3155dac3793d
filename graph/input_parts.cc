// From each cut to the last reshape of it: that value is as the step takes it. What only whole
// inputs are used for goes.

#include "graph/input_parts.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "graph/graph_builder.h"
#include "graph/op_traits.h"

namespace tilewise {
namespace {

class PartsOfInputs {
 public:
  PartsOfInputs(const Graph& graph, int64_t parts)
      : graph_(graph), parts_(parts), input_of_(graph.size(), kNoOp), is_part_(graph.size()) {}

  std::optional<Graph> Run() {
    FindParts();
    if (std::ranges::none_of(is_part_, [](bool is) { return is; })) return std::nullopt;
    FindNeeded();
    GraphBuilder builder(graph_.name());
    std::vector<OpId> made(graph_.size(), kNoOp);
    for (const Op& op : graph_.ops()) {
      if (!needed_[op.id]) continue;
      if (is_part_[op.id]) {
        Op input = graph_.op(input_of_[op.id]);
        input.shape = op.shape;
        made[op.id] = builder.Clone(std::move(input), {});
        continue;
      }
      std::vector<OpId> operands;
      for (const OpId operand : op.operands) operands.push_back(made[operand]);
      made[op.id] = builder.Clone(op, std::move(operands));
    }
    for (const Output& output : graph_.outputs()) {
      const OpId variable = output.variable == kNoOp ? kNoOp : made[output.variable];
      builder.AddOutput(made[output.value], output.role, variable);
    }
    absl::StatusOr<Graph> graph = builder.Build();
    return graph.ok() ? std::optional<Graph>(*std::move(graph)) : std::nullopt;
  }

 private:
  // The only input that `op` moves data of; kNoOp: it does more, or of several.
  OpId InputOf(const Op& op) const {
    if (op.kind == OpKind::kParameter) return op.id;
    const OpClass its_class = ClassOf(op.kind);
    const bool moves =
        its_class == OpClass::kData || its_class == OpClass::kIndex || op.kind == OpKind::kConvert;
    return moves && !op.operands.empty() ? input_of_[op.operands[0]] : kNoOp;
  }

  void FindParts() {
    for (const Op& op : graph_.ops()) {
      input_of_[op.id] = InputOf(op);
      if (input_of_[op.id] == kNoOp || op.kind == OpKind::kParameter) continue;
      const int64_t whole = graph_.operand(op, 0).shape.elements();
      if (op.shape.rank() > 0 && whole == parts_ * op.shape.elements()) {
        is_part_[LastReshape(op)] = true;
      }
    }
  }

  OpId LastReshape(const Op& part) const {
    OpId last = part.id;
    for (auto users = graph_.users(last); users.size() == 1; users = graph_.users(last)) {
      const Op& user = graph_.op(users[0]);
      if (user.kind != OpKind::kReshape || user.shape.rank() == 0) break;
      last = user.id;
    }
    return last;
  }

  void FindNeeded() {
    needed_.assign(graph_.size(), false);
    for (const Output& output : graph_.outputs()) {
      needed_[output.value] = true;
      if (output.variable != kNoOp) needed_[output.variable] = true;
    }
    for (OpId id(graph_.size() - 1); id >= 0; --id) {
      if (!needed_[id] || is_part_[id]) continue;
      for (const OpId operand : graph_.op(id).operands) needed_[operand] = true;
    }
  }

  const Graph& graph_;
  const int64_t parts_;
  std::vector<OpId> input_of_;
  std::vector<bool> is_part_;
  std::vector<bool> needed_;
};

}  // namespace

std::optional<BatchOfPart> FindBatchOfPart(const Graph& graph, int64_t parts) {
  if (!graph.is_static()) return std::nullopt;
  std::optional<Graph> part = PartsOfInputs(graph, parts).Run();
  if (!part) return std::nullopt;
  absl::StatusOr<BatchGuess> batch = FindBatch(*part, RowsOfInputs(*part));
  if (!batch.ok()) return std::nullopt;
  return BatchOfPart{*std::move(part), *std::move(batch)};
}

}  // namespace tilewise
