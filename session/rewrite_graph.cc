// Widths first, as they may reach any op; then one pass that puts replacements
// in the place of ops; then the compute type.

#include "session/rewrite_graph.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "graph/rebatch.h"

namespace tilewise {
namespace {

absl::StatusOr<Graph> WithWidths(const Graph& graph, const std::vector<NewWidth>& widths) {
  Graph result = graph;
  for (const NewWidth& width : widths) {
    const auto size_in = [&width](const Graph& g) { return g.op(width.op).shape.size(width.dim); };
    if (size_in(result) == width.size) continue;
    if (size_in(result) != size_in(graph)) {
      return InvalidInput(
          fmt::format("found dim {} of {} of size {} for another change, expected {}", width.dim,
                      graph.op(width.op).name, size_in(result), width.size));
    }
    TW_ASSIGN_OR_RETURN(result, ResizeDim(result, width.op, width.dim, width.size));
  }
  return result;
}

class Replacing {
 public:
  Replacing(const Graph& graph, const Change& change)
      : graph_(graph), change_(change), builder_(graph.name()) {}

  absl::StatusOr<Graph> Run() {
    made_.reserve(graph_.size());
    for (const Op& op : graph_.ops()) {
      TW_RETURN_IF_ERROR(Annotate(Make(op), op.name));
    }
    for (const Output& output : graph_.outputs()) {
      if (!IsInAnotherType(output)) {
        TW_RETURN_IF_ERROR(CheckShape(output.value));
      }
      builder_.AddOutput(Made(output.value), output.role,
                         output.variable == kNoOp ? kNoOp : Made(output.variable));
    }
    return builder_.Build();
  }

 private:
  OpId Made(OpId source) const { return made_[source]; }

  // A result may be handed over so; the state of a variable may not.
  bool IsInAnotherType(const Output& output) const {
    return output.is_result() &&
           builder_.shape(Made(output.value)).dims == graph_.op(output.value).shape.dims;
  }

  absl::Status CheckShape(OpId source) const {
    const Shape& now = builder_.shape(Made(source));
    const Shape& was = graph_.op(source).shape;
    if (now == was) return absl::OkStatus();
    return InvalidInput(fmt::format("found {} in place of {} {}", FormatShape(now),
                                    graph_.op(source).name, FormatShape(was)));
  }

  absl::Status Make(const Op& op) {
    std::vector<OpId> operands;
    operands.reserve(op.operands.size());
    for (const OpId operand : op.operands) operands.push_back(Made(operand));
    const auto replacement = change_.replace.find(op.id);
    if (replacement == change_.replace.end()) {
      for (const OpId operand : op.operands) {
        TW_RETURN_IF_ERROR(CheckShape(operand));
      }
      made_.push_back(builder_.Clone(op, std::move(operands)));
      return builder_.status();
    }
    builder_.SetLocation(op.location);
    builder_.SetScope(op.name);
    builder_.SetPhase(op.phase);
    builder_.SetLoop(op.loop);
    builder_.SetOrigin(op.id);
    const OpId made = replacement->second(builder_, op, operands);
    TW_RETURN_IF_ERROR(builder_.status());
    if (made == kNoOp) return InvalidInput("its replacement made nothing");
    made_.push_back(made);
    return absl::OkStatus();
  }

  const Graph& graph_;
  const Change& change_;
  GraphBuilder builder_;
  std::vector<OpId> made_;
};

// What the outputs are made of, and all inputs of the model.
std::vector<bool> Needed(const Graph& graph) {
  std::vector<bool> needed(graph.size(), false);
  for (const Output& output : graph.outputs()) {
    needed[output.value] = true;
    if (output.variable == kNoOp) continue;
    needed[output.variable] = true;
  }
  for (OpId id(graph.size() - 1); id >= 0; --id) {
    const Op& op = graph.op(id);
    if (op.kind == OpKind::kParameter) needed[id] = true;
    if (!needed[id]) continue;
    for (const OpId operand : op.operands) {
      needed[operand] = true;
    }
  }
  return needed;
}

absl::StatusOr<Graph> WithoutDead(const Graph& graph) {
  const std::vector<bool> needed = Needed(graph);
  if (std::ranges::find(needed, false) == needed.end()) return graph;
  GraphBuilder builder(graph.name());
  std::vector<OpId> made(graph.size(), kNoOp);
  for (const Op& op : graph.ops()) {
    if (!needed[op.id]) continue;
    std::vector<OpId> operands;
    operands.reserve(op.operands.size());
    for (const OpId operand : op.operands) {
      operands.push_back(made[operand]);
    }
    made[op.id] = builder.Clone(op, std::move(operands));
  }
  for (const Output& output : graph.outputs()) {
    builder.AddOutput(made[output.value], output.role,
                      output.variable == kNoOp ? kNoOp : made[output.variable]);
  }
  return builder.Build();
}

}  // namespace

absl::StatusOr<Graph> RewriteGraph(const Graph& graph, const Change& change, WeightType weights) {
  TW_ASSIGN_OR_RETURN(Graph result, WithWidths(graph, change.widths));
  if (!change.replace.empty()) {
    TW_ASSIGN_OR_RETURN(const Graph replaced, Replacing(result, change).Run());
    TW_ASSIGN_OR_RETURN(result, WithoutDead(replaced));
  }
  if (!change.compute_type) return result;
  return WithComputeType(result, *change.compute_type, weights);
}

Change ChangeOfAll(const Graph& graph, std::span<const OpId> ops,
                   const std::function<Change(const Op&)>& make) {
  Change all;
  for (const OpId op : ops) all.replace.merge(make(graph.op(op)).replace);
  if (RewriteGraph(graph, all).ok()) return all;
  Change first = make(graph.op(ops.front()));
  if (ops.size() > 1 && RewriteGraph(graph, first).ok()) return first;
  return {};
}

OpId StandsFor(const GraphBuilder& builder, OpId source) {
  for (OpId id(builder.size() - 1); id >= 0; --id) {
    if (builder.op(id).origin == source) return id;
  }
  return kNoOp;
}

}  // namespace tilewise
