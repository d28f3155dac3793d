// Of all layers together it is one finding, at the place of the batch.

#include "rules/alignment/padded_batch.h"

#include <string>

#include <fmt/format.h>

#include "advice/locations.h"
#include "graph/rebatch.h"
#include "rules/rule.h"

namespace tilewise {
namespace {

std::string BatchAdvice(const Facts& facts, int64_t batch, int64_t padded) {
  return fmt::format("{} a batch of {} per core: {} take as much HBM",
                     facts.workload.graph->is_static() ? "write the model out again with" : "use",
                     FormatCount(padded), FormatCount(batch));
}

// Where the batch is written: in the program, else at the first input.
Location LocationOfInputs(const Facts& facts) {
  const Pipeline* pipeline = facts.workload.training_pipeline();
  const bool in_program = pipeline != nullptr && pipeline->batch() != nullptr;
  if (!in_program && !facts.workload.host_loop.fit.known()) {
    for (const Op& op : facts.source->ops()) {
      const bool input = op.kind == OpKind::kParameter;
      if (input && op.location.known()) return op.location;
    }
  }
  return LocationOfBatch(facts);
}

}  // namespace

int64_t BatchInTensors(const Facts& facts) {
  const std::optional<Graph>& graph = facts.workload.graph;
  if (!graph || !graph->is_static()) return facts.batch_per_core;
  const absl::StatusOr<BatchGuess> guess = GuessBatch(*graph);
  return guess.ok() ? guess->batch : 0;
}

bool AreSingleExamples(const Facts& facts, int64_t batch) {
  return !facts.training && batch < facts.target.chip.sublanes;
}

bool IsBatchOfOtherRule(const Facts& facts, int64_t batch) {
  return !facts.workload.graph->is_static() && batch % facts.target.chip.sublanes != 0;
}

std::optional<PaddedBatch> FindPaddedBatch(const Program& program, OpId value, int64_t batch) {
  const Shape& shape = program.graph.op(value).shape;
  int64_t batch_dim = 0;  // the batch comes first among equals
  while (batch_dim < shape.rank() && shape.size(batch_dim) != batch) {
    ++batch_dim;
  }
  const PaddedDim most = MostPadded(program, value);
  if (most.dim < 0 || most.dim != batch_dim) return std::nullopt;
  return PaddedBatch{.size = most.padded, .alone = CountPadded(program, value) == 1};
}

void ReportPaddedBatch(const Facts& facts, int64_t batch, int64_t padded,
                       const PaddedLayers& layers, Sink& sink) {
  const Program& program = facts.model->program;
  const Op& largest = program.graph.op(layers.waste.largest->value);
  const std::string& name = largest.location.item;
  Finding& found =
      ReportPadding(facts, LocationOfInputs(facts), layers.waste,
                    fmt::format("the batch of {} per core is padded to {} in tensors of {} "
                                "layer{}, which take {}; the largest is {}{}{}",
                                FormatCount(batch), FormatCount(padded), FormatCount(layers.count),
                                layers.count == 1 ? "" : "s", TimesTheirSize(layers.waste),
                                TensorText(program, largest.id), name.empty() ? "" : " of ", name),
                    sink);
  found.fix.text = BatchAdvice(facts, batch, padded);
  if (batch == facts.batch_per_core) found.change.batch_per_core = padded;
}

}  // namespace tilewise
