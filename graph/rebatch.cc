// The batch of a graph by seeds, and the graph with its dims per batch.

#include "graph/rebatch.h"

#include <algorithm>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "graph/batch_marks.h"
#include "graph/counters.h"
#include "graph/graph_builder.h"

namespace tilewise {
namespace {

absl::Status CheckStatic(const Graph& graph) {
  if (graph.is_static()) return absl::OkStatus();
  return InvalidInput("found dims that depend on the batch already");
}

absl::Status CheckSeeds(const Graph& graph, std::span<const BatchSeed> seeds) {
  TW_RETURN_IF_ERROR(CheckStatic(graph));
  if (seeds.empty()) return InvalidInput("found no input that has the batch");
  for (const BatchSeed& seed : seeds) {
    if (seed.parameter < 0 || seed.parameter >= graph.size() ||
        graph.op(seed.parameter).kind != OpKind::kParameter) {
      return InvalidInput("expected the batch in a dim of an input");
    }
    const Op& input = graph.op(seed.parameter);
    if (seed.dim >= 0 && seed.dim < input.shape.rank()) continue;
    return InvalidInput(
        fmt::format("found dim {} of input {} {}", seed.dim, input.name, FormatShape(input.shape)));
  }
  return absl::OkStatus();
}

int64_t SizeOf(const Graph& graph, const BatchSeed& seed) {
  return graph.op(seed.parameter).shape.size(seed.dim);
}

int64_t SmallestSize(const Graph& graph, std::span<const BatchSeed> seeds) {
  int64_t batch = SizeOf(graph, seeds[0]);
  for (const BatchSeed& seed : seeds) {
    batch = std::min(batch, SizeOf(graph, seed));
  }
  return batch;
}

absl::Status Cannot(int64_t batch, const absl::Status& why) {
  return Annotate(why, fmt::format("the batch of {} cannot be separated", batch));
}

// One dim of `x`, outer x inner, repeated to outer x batch x inner.
OpId Stretched(GraphBuilder& builder, OpId x, const BatchStretch& stretch) {
  std::vector<Dim> dims = builder.shape(x).dims;
  const size_t at = stretch.dim;
  const Dim outer = {dims[at].factor / stretch.inner, false};
  const Dim inner = {stretch.inner, false};
  std::vector<Dim> apart = dims;  // without the batch
  std::vector<Dim> spread = dims;
  std::vector<int64_t> mapping;
  const auto place = static_cast<ptrdiff_t>(at);
  apart[at] = inner;
  apart.insert(apart.begin() + place, outer);
  spread[at] = inner;
  spread.insert(spread.begin() + place, {outer, BatchDim()});
  for (size_t i = 0; i < spread.size(); ++i) {
    if (i != at + 1) mapping.push_back(static_cast<int64_t>(i));
  }
  dims[at].per_batch = true;
  if (apart != builder.shape(x).dims) x = builder.Reshape(x, std::move(apart));
  x = builder.Broadcast(x, spread, std::move(mapping));
  return spread == dims ? x : builder.Reshape(x, std::move(dims));
}

// Marks as they are in a guess.
absl::Status Restore(const Graph& graph, const BatchGuess& guess, BatchMarks& marks) {
  marks.Reset(guess.batch);
  for (const BatchSeed& seed : guess.seeds) {
    TW_RETURN_IF_ERROR(Cannot(guess.batch, marks.Spread(seed)));
  }
  if (marks.marked().size() == guess.dims.size()) return absl::OkStatus();
  return InvalidInput(fmt::format("found the batch of another graph than {}", graph.name()));
}

absl::StatusOr<BatchGuess> Find(const Graph& graph, std::span<const BatchSeed> seeds) {
  const int64_t batch = SmallestSize(graph, seeds);
  BatchMarks marks(graph);
  marks.Reset(batch);
  for (const BatchSeed& seed : seeds) {
    TW_RETURN_IF_ERROR(Cannot(batch, marks.Spread(seed)));
  }
  TW_RETURN_IF_ERROR(Cannot(batch, marks.Check()));
  return marks.Guess({seeds.begin(), seeds.end()});
}

OpId OriginOf(const Op& op, const std::vector<OpId>& made, OpId id) {
  if (op.origin == op.id) return id;
  const bool is_earlier = op.origin >= 0 && op.origin < op.id;
  return is_earlier ? made[op.origin] : op.origin;
}

// `guess` is of this graph.
absl::StatusOr<Graph> Separate(const Graph& static_graph, const BatchGuess& batch) {
  BatchMarks marks(static_graph);
  TW_RETURN_IF_ERROR(Restore(static_graph, batch, marks));
  GraphBuilder builder(static_graph.name());
  std::vector<OpId> made;
  made.reserve(static_graph.size());
  for (const Op& op : static_graph.ops()) {
    absl::StatusOr<Op> separated = marks.Separated(op);
    if (!separated.ok()) return Cannot(batch.batch, separated.status());
    std::vector<OpId> operands;
    operands.reserve(op.operands.size());
    for (const OpId id : op.operands) {
      operands.push_back(made[id]);
    }
    if (batch.batch == 1) {
      builder.SetLocation(op.location);
      builder.SetPhase(op.phase);
      builder.SetLoop(op.loop);
      builder.SetScope(op.name);
      for (const BatchStretch& stretch : marks.Stretches(op)) {
        OpId& operand = operands[stretch.operand];
        operand = Stretched(builder, operand, stretch);
      }
    }
    separated->origin = OriginOf(op, made, OpId(builder.size()));
    made.push_back(builder.Clone(*std::move(separated), std::move(operands)));
  }
  for (const Output& output : static_graph.outputs()) {
    builder.AddOutput(made[output.value], output.role,
                      output.variable == kNoOp ? kNoOp : made[output.variable]);
  }
  return builder.Build();
}

}  // namespace

absl::StatusOr<BatchGuess> FindBatch(const Graph& static_graph, std::span<const BatchSeed> seeds) {
  TW_RETURN_IF_ERROR(CheckSeeds(static_graph, seeds));
  absl::StatusOr<BatchGuess> guess = Find(static_graph, seeds);
  if (guess.ok()) return guess;
  const std::optional<Graph> laid_out = WithCountersLaidOut(static_graph);
  if (!laid_out) return guess;
  absl::StatusOr<BatchGuess> other = Find(*laid_out, seeds);
  return other.ok() ? other : guess;
}

absl::StatusOr<Graph> SeparateBatch(const Graph& static_graph, const BatchGuess& batch) {
  TW_RETURN_IF_ERROR(CheckSeeds(static_graph, batch.seeds));
  absl::StatusOr<Graph> separated = Separate(static_graph, batch);
  if (separated.ok()) return separated;
  const std::optional<Graph> laid_out = WithCountersLaidOut(static_graph);
  return laid_out ? Separate(*laid_out, batch) : separated;
}

absl::StatusOr<Graph> SeparateBatch(const Graph& static_graph, std::span<const BatchSeed> seeds) {
  TW_ASSIGN_OR_RETURN(const BatchGuess guess, FindBatch(static_graph, seeds));
  return SeparateBatch(static_graph, guess);
}

absl::StatusOr<Graph> ResizeDim(const Graph& static_graph, OpId op, int64_t dim, int64_t size) {
  TW_RETURN_IF_ERROR(CheckStatic(static_graph));
  TW_CHECK(op >= 0 && op < static_graph.size());
  const Shape& shape = static_graph.op(op).shape;
  TW_CHECK(dim >= 0 && dim < shape.rank());
  if (size < 1) {
    return InvalidInput(fmt::format("found size {}, expected 1 or more", size));
  }
  BatchMarks marks(static_graph);
  marks.Reset(shape.size(dim), BatchMarks::Followed::kWidth);
  TW_RETURN_IF_ERROR(marks.Spread({op, dim}));
  TW_RETURN_IF_ERROR(marks.Check());
  GraphBuilder builder(static_graph.name());
  for (const Op& old : static_graph.ops()) {
    TW_ASSIGN_OR_RETURN(Op separated, marks.Separated(old));
    builder.Clone(std::move(separated), old.operands);
  }
  for (const Output& output : static_graph.outputs()) {
    builder.AddOutput(output.value, output.role, output.variable);
  }
  TW_ASSIGN_OR_RETURN(const Graph symbolic, builder.Build());
  TW_RETURN_IF_ERROR(CheckBindable(symbolic, size));
  return symbolic.Bind(size);
}

std::string ExplainReason(const Graph& graph, const BatchReason& reason) {
  const Op& op = graph.op(reason.op);
  const std::string what = fmt::format("{} {} dim {}", op.name, FormatShape(op.shape), reason.dim);
  if (reason.from == kNoOp) return what + ": an input's batch";
  return fmt::format("{}: is dim {} of {} in {}", what, reason.from_dim, graph.op(reason.from).name,
                     graph.op(reason.via).name);
}

}  // namespace tilewise
