// graph/rebatch follows the batch; here are the words of the user and what is
// done when it cannot be followed.

#include "cli/file_batch.h"

#include <charconv>
#include <utility>

#include <fmt/format.h>

#include "base/nearest_name.h"
#include "graph/rebatch.h"
#include "workload/reader_note.h"

namespace tilewise {
namespace {

std::vector<std::string> InputNames(const Graph& graph) {
  std::vector<std::string> names;
  for (const Op& op : graph.ops()) {
    if (op.kind == OpKind::kParameter) names.push_back(op.name);
  }
  return names;
}

absl::Status NoSuchInput(const Graph& graph, std::string_view text) {
  const std::string_view name = text.substr(0, text.rfind(':'));
  std::vector<std::string> names = InputNames(graph);
  const std::string meant = DidYouMean(name, names);
  constexpr size_t kShown = 10;
  const bool cut = names.size() > kShown;
  if (cut) names.resize(kShown);
  return InvalidInput(
      fmt::format("--batch-dim: found '{}', expected an input and the number of its dim, "
                  "as in {}:0; inputs: {}{}{}",
                  text.substr(0, 100), names.empty() ? "input" : names.front(),
                  fmt::join(names, ", "), cut ? ", ..." : "", meant));
}

// "input:0"
absl::StatusOr<BatchSeed> ParseSeed(const Graph& graph, std::string_view text) {
  const size_t colon = text.rfind(':');
  if (colon == std::string_view::npos) return NoSuchInput(graph, text);
  const std::string_view number = text.substr(colon + 1);
  BatchSeed seed;
  const char* end = number.data() + number.size();
  const auto [rest, error] = std::from_chars(number.data(), end, seed.dim);
  if (error != std::errc() || rest != end) return NoSuchInput(graph, text);
  for (const Op& op : graph.ops()) {
    if (op.kind != OpKind::kParameter || op.name != text.substr(0, colon)) {
      continue;
    }
    if (seed.dim < 0 || seed.dim >= op.shape.rank()) break;
    seed.parameter = op.id;
    return seed;
  }
  return NoSuchInput(graph, text);
}

absl::StatusOr<BatchGuess> Find(const TrainingOptions& options, const Graph& graph) {
  if (options.batch_dims.empty()) return GuessBatch(graph);
  std::vector<BatchSeed> seeds;
  for (const std::string& text : options.batch_dims) {
    TW_ASSIGN_OR_RETURN(const BatchSeed seed, ParseSeed(graph, text));
    seeds.push_back(seed);
  }
  return FindBatch(graph, seeds);
}

std::vector<std::string> Explain(const Graph& graph, const BatchGuess& guess) {
  std::vector<std::string> lines;
  for (const BatchSeed& seed : guess.seeds) {
    lines.push_back(fmt::format("a batch of {} comes in as dim {} of {} {}", guess.batch, seed.dim,
                                graph.op(seed.parameter).name,
                                FormatShape(graph.op(seed.parameter).shape)));
  }
  for (const BatchReason& reason : guess.dims) {
    if (reason.via != kNoOp) lines.push_back(ExplainReason(graph, reason));
  }
  for (const OpId id : guess.constants) {
    lines.push_back(
        fmt::format("{} is a constant made from the batch; it stays as it is", graph.op(id).name));
  }
  return lines;
}

void NoteFixed(const absl::Status& status, Workload& workload) {
  workload.notes.push_back(
      NoteOnFile("RD002", kBatchNotFound, workload.name,
                 fmt::format("the batch stays as the file has it, since it cannot be told "
                             "apart: {}",
                             Message(status))));
}

// Parts of a batch cannot be cut out of a graph of fixed sizes.
void TakeOnePart(Workload& workload) {
  if (!workload.training || workload.training->accumulation_steps <= 1) return;
  workload.notes.push_back(NoteOnFile(
      "RD002", "cannot-resolve", workload.name,
      fmt::format("the gradients of {} batches are added up before an update; as the batch cannot "
                  "be told from the other sizes, a step is one of them with the update",
                  workload.training->accumulation_steps)));
  Count& batch = workload.host_loop.fit_batch_size;
  if (batch.value % workload.training->accumulation_steps == 0) {
    batch.value /= workload.training->accumulation_steps;
  }
  workload.training->accumulation_steps = 1;
}

absl::Status CheckSymbolic(const TrainingOptions& options, const Graph& graph) {
  if (options.batch_dims.empty()) return absl::OkStatus();
  for (const Op& op : graph.ops()) {
    if (op.kind != OpKind::kParameter || op.shape.is_static()) continue;
    return InvalidInput(fmt::format("--batch-dim: the batch is symbolic already, in {} {}", op.name,
                                    FormatShape(op.shape)));
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<FileBatch> FreeBatch(const TrainingOptions& options, const BatchUse& use,
                                    Workload& workload) {
  FileBatch batch;
  // A model of the zoo has the sizes that were asked for.
  if (!workload.graph || workload.format.empty()) return batch;
  const Graph& graph = *workload.graph;
  if (!graph.is_static()) {
    TW_RETURN_IF_ERROR(CheckSymbolic(options, graph));
    return batch;
  }
  if (workload.compilation && options.AsksForABatch()) {
    return InvalidInput(
        fmt::format("{}: found a compiled module with a batch on the command line, expected the "
                    "module before optimisation: layouts and fusions are those of one batch",
                    workload.name));
  }
  const absl::StatusOr<BatchGuess> guess = Find(options, graph);
  if (!guess.ok()) {
    if (options.AsksForABatch()) {
      return Annotate(guess.status(), workload.name);
    }
    if (use.tries_batches || use.explains) {
      NoteFixed(guess.status(), workload);
    }
    TakeOnePart(workload);
    return batch;
  }
  batch.size = guess->batch;
  if (use.explains) batch.explanation = Explain(graph, *guess);
  const bool is_told = options.AsksForABatch() || use.tries_batches;
  const bool in_parts = workload.training && workload.training->accumulation_steps > 1;
  if ((!is_told && !in_parts) || workload.compilation) return batch;
  absl::StatusOr<Graph> separated = SeparateBatch(graph, *guess);
  if (separated.ok()) {
    workload.graph = *std::move(separated);
  } else if (is_told) {
    return Annotate(separated.status(), workload.name);
  } else {
    TakeOnePart(workload);
  }
  return batch;
}

}  // namespace tilewise
