// Flags a step whose tensors do not fit in the HBM of a core, or hardly do.

#include <algorithm>

#include <fmt/format.h>

#include "advice/locations.h"
#include "graph/wide_matmuls.h"
#include "rules/rule.h"
#include "session/session.h"
#include "sim/lowering/largest_buffers.h"
#include "workload/blocks.h"

namespace tilewise::ME001 {
namespace {

constexpr RuleInfo kInfo = {
    .id = "ME001",
    .name = "hbm-budget",
    .fix = Applicability::kShow,
    .needs = {.model = true},
    .summary = "the step needs more than 97 % of the HBM of a core",
    .no_saving = "no batch that fits was found",
    .doc = R"(
What: the largest sum of live, padded buffers per core exceeds the usable HBM
(error), or 97 % of it (warning).
Why: each core has its own HBM; "Used 11.7G of 8.00G hbm" counts one core.
Activations are kept for the backward pass, so the need grows with the batch,
and padding counts in full.
Remedy: the largest batch that fits is shown; else bfloat16 activations,
recomputing activations of some layers, or sharding the optimizer state.
Ignore: nothing is said where nothing names the batch, nor of a program that
divides its tensors among the cores by itself (mark_sharding, NamedSharding),
in its own text or in a module that it imports, unless --mesh says how.
A step that fits because the compiler computes values
again by itself pays for it with time, which the prediction counts; that little
is left then is information.
Sources: tensorflow/tpu#598, pytorch/xla#1881, #6948.)",
};

constexpr double kNearlyFull = 0.97;
constexpr int kTries = 6;  // lowerings that the search may cost

// The largest multiple of `rows` below `batch` that fits in `limit` bytes, by
// straight lines through the two last points; 0 when none was found.
int64_t LargestThatFits(const Facts& facts, int64_t batch, int64_t rows, Bytes limit) {
  int64_t fits = 0;
  int64_t too_large = batch;
  int64_t low = 0;
  int64_t low_bytes = 0;
  int64_t high_bytes = facts.model->program.memory.peak.value;
  for (int i = 0; i < kTries && too_large - fits > rows; ++i) {
    int64_t guess = (fits + too_large) / 2;
    if (low > 0 && high_bytes > low_bytes) {
      const double slope =
          static_cast<double>(high_bytes - low_bytes) / static_cast<double>(too_large - low);
      guess = low + static_cast<int64_t>(static_cast<double>(limit.value - low_bytes) / slope);
    }
    guess = std::clamp(guess / rows * rows, fits + rows, too_large - 1);
    guess = std::max(rows, guess / rows * rows);
    if (guess <= fits || guess >= too_large) break;
    const absl::StatusOr<StepTotals> step = facts.session.StepAt(guess);
    if (!step.ok()) return fits;
    if (step->peak <= limit) {
      fits = low = guess;
      low_bytes = step->peak.value;
    } else {
      too_large = guess;
      high_bytes = step->peak.value;
    }
  }
  return fits;
}

std::string LargestText(const Program& program) {
  std::string text;
  for (const LargeBuffer& buffer : LargestBuffers(program)) {
    text += fmt::format("{}{} {}: {} ({} without padding)", text.empty() ? "" : "; ", buffer.name,
                        buffer.shape, FormatBytes(buffer.padded), FormatBytes(buffer.unpadded));
  }
  return text;
}

std::string RecomputationText(const Memory& memory) {
  if (memory.without_rematerialization <= Bytes{}) return "";
  if (!memory.fits()) {
    return fmt::format("; {} before the compiler computes again what it can by itself",
                       FormatBytes(memory.without_rematerialization));
  }
  return fmt::format("; {} if the compiler computed nothing again by itself",
                     FormatBytes(memory.without_rematerialization));
}

// Batches are multiples of the sublanes, but for those that are smaller.
int64_t RowsOf(const Facts& facts) {
  const int64_t sublanes = facts.target.chip.sublanes;
  return facts.batch_per_core > sublanes ? sublanes : 1;
}

std::string Advice(const Facts& facts, int64_t batch) {
  const bool is_wide = HasWideMatmuls(*facts.workload.graph);
  // Weights and the optimizer's state are in parts already.
  if (batch == 0 && facts.target.extent(MeshAxis::kFsdp) > 1) {
    return fmt::format(
        "no smaller batch was found to fit, with weights and the optimizer's state in parts: "
        "recompute activations in the backward pass{}, or divide the model among more cores",
        is_wide ? ", use bfloat16" : "");
  }
  if (batch == 0) {
    return fmt::format(
        "no smaller batch was found to fit: shard the optimizer state or the model{}",
        is_wide ? ", or use bfloat16" : "");
  }
  const int64_t rows = RowsOf(facts);
  return fmt::format(
      "use a global batch of {} ({} per core), the largest{} found to fit; or {}recompute the "
      "activations above in the backward pass",
      FormatCount(batch * facts.target.batch_shards()), FormatCount(batch),
      rows > 1 ? fmt::format(" multiple of {}", rows) : "",
      is_wide ? "use bfloat16 activations, or " : "");
}

// A program that says itself how its tensors are divided among the cores, which is not followed:
// what is on one core is not known without --mesh.
bool IsSharded(const Facts& facts) {
  if (facts.target.extent(MeshAxis::kData) < facts.target.cores) return false;
  const auto divides = [](const SourceCall& call) { return DividesTensors(call.name); };
  return std::ranges::any_of(facts.workload.facts.calls, divides) ||
         std::ranges::any_of(facts.workload.facts.imported_calls, divides);
}

void Check(const Facts& facts, Sink& sink) {
  // A batch that stands in for one that nothing names is no program's.
  if (facts.batch_assumed || IsSharded(facts)) return;
  const Memory& memory = facts.model->program.memory;
  if (memory.available.value <= 0) return;
  const double use =
      static_cast<double>(memory.peak.value) / static_cast<double>(memory.available.value);
  if (use <= kNearlyFull) return;
  const std::string room =
      use > 1 ? "it does not fit"
              : fmt::format("that leaves {}", FormatBytes(memory.available - memory.peak));
  Finding& found = sink.Report(
      LocationOfBatch(facts),
      "the step needs {} of HBM per core at {} examples per core and {} can be used: {} "
      "(predicted for {}{}); largest buffers: {}",
      FormatBytes(memory.peak), FormatCount(facts.batch_per_core), FormatBytes(memory.available),
      room, facts.target.chip.name, RecomputationText(memory), LargestText(facts.model->program));
  if (use > 1) {
    found.severity = Severity::kError;
    found.cost.bytes = memory.peak - memory.available;
    const int64_t batch =
        LargestThatFits(facts, facts.batch_per_core, RowsOf(facts), memory.available);
    found.fix.text = Advice(facts, batch);
    if (batch > 0) found.change.batch_per_core = batch;
  } else {
    found.cost.bytes = memory.peak;
    // The compiler brings a step that it makes fit to just below what there is.
    const bool made_to_fit = memory.without_rematerialization > memory.available;
    if (made_to_fit) found.severity = Severity::kInfo;
    found.fix.text = "use bfloat16 activations before the batch grows";
  }
}

}  // namespace

TW_RULE(ME001)

}  // namespace tilewise::ME001
