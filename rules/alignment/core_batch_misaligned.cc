// Flags a batch per core that is not a whole number of sublane rows.

#include <algorithm>
#include <optional>

#include <fmt/format.h>

#include "advice/change_in_files.h"
#include "advice/locations.h"
#include "base/math.h"
#include "edit/cpp.h"
#include "rules/cpp/written_layers.h"
#include "rules/input/torch_loaders.h"
#include "rules/rule.h"
#include "session/session.h"
#include "workload/blocks.h"

namespace tilewise::AL002 {
namespace {

constexpr RuleInfo kInfo = {
    .id = "AL002",
    .name = "core-batch-misaligned",
    .fix = Applicability::kUnsafe,
    .needs = {.batch = true, .or_cpp = true},
    .summary = "the batch per core is not a multiple of 8",
    .doc = R"(
What: global batch / cores, or the part of it that runs at once where gradients
are summed, is not a multiple of the 8 sublanes. In C++ of which no model was
read: a batch size of a loader for training that no number of cores divides into
multiples of 8 (information).
Why: data parallelism splits the global batch over the cores, and the batch dim
of most tensors is one of the two that are padded to tiles. 50,000 examples on
8 cores are 6,250 per core, and every tensor is padded.
Remedy: take the nearest smaller or larger multiple of 8 x cores; both are
simulated and shown. The edit takes the one with less time per example, without
a model the nearer one; it changes what is trained, so look at the learning rate.
Ignore: inference with single examples; programs that run one or two steps.
Where no model was read, it speaks by default only of programs that name a TPU.
Sources: Cloud TPU performance guide.)",
};

bool OneOrTwoSteps(const Facts& facts) {
  const HostLoop& host = facts.workload.host_loop;
  if (facts.loop == nullptr || facts.loop->steps_per_epoch == 0) return false;
  const int64_t epochs = host.epochs.kind == Count::Kind::kValue ? host.epochs.value : 0;
  return epochs > 0 && epochs * facts.loop->steps_per_epoch <= 2;
}

std::string Prediction(const Facts& facts, int64_t batch_per_core) {
  if (batch_per_core < 1) return "";
  std::string text = fmt::format("{} per core (global {})", FormatCount(batch_per_core),
                                 FormatCount(batch_per_core * facts.target.batch_shards()));
  const Simulated* model = facts.model == nullptr ? nullptr : facts.session.AtBatch(batch_per_core);
  if (model != nullptr) {
    text += fmt::format(": {} a step", FormatSeconds(model->timeline.step));
  }
  return text;
}

// What tiles hold beyond the elements, and the matrix unit computes beyond the products.
struct Padding {
  double bytes = 0, flops = 0;
  double of_bytes = 0, of_flops = 0;  // what is not padding
};

Padding PaddingOf(const Program& program) {
  Padding padding;
  for (const Buffer& buffer : program.buffers) {
    if (IsArgument(program.graph.op(buffer.value))) continue;
    padding.bytes += static_cast<double>(buffer.padded.value - buffer.unpadded.value);
    padding.of_bytes += static_cast<double>(buffer.unpadded.value);
  }
  for (const Kernel& kernel : program.kernels) {
    padding.flops += kernel.matrix.padded_flops - kernel.matrix.useful_flops;
    padding.of_flops += kernel.matrix.useful_flops;
  }
  return padding;
}

// The part of bytes or of products, whichever is larger, that `aligned` does without.
double PaddingSaved(const Facts& facts, const Simulated& aligned) {
  const Padding now = PaddingOf(facts.model->program), then = PaddingOf(aligned.program);
  const auto share = [](double before, double after, double rest) {
    return before > after ? (before - after) / (before + rest) : 0;
  };
  return std::max(share(now.bytes, then.bytes, now.of_bytes),
                  share(now.flops, then.flops, now.of_flops));
}

// Whether more examples, which fill their tiles, have less padding: the batch of a language model
// stands before dims that are long enough, and what pads its weights is there either way.
bool IsPadded(const Facts& facts, int64_t larger) {
  constexpr double kNoticeable = 0.0005;
  const Simulated* aligned = facts.model == nullptr ? nullptr : facts.session.AtBatch(larger);
  return aligned == nullptr || PaddingSaved(facts, *aligned) > kNoticeable;
}

// What this step costs above the rate per example of the larger multiple, as far as padding makes
// it: a larger batch has other merits, too.
void AddCost(const Facts& facts, int64_t larger, Diagnostic& found) {
  if (facts.model == nullptr) {
    found.cost.unknown = "no model was read";
    return;
  }
  const Simulated* aligned = facts.session.AtBatch(larger);
  if (aligned == nullptr) return;
  const double examples = static_cast<double>(facts.batch_per_core) / static_cast<double>(larger);
  const Seconds above = facts.StepTime() - aligned->timeline.step * examples;
  const Seconds lost = std::min(above, facts.StepTime() * PaddingSaved(facts, *aligned));
  if (lost.value <= 0) return;
  found.cost = DeviceCost(facts, lost);
}

// Returns the one of the two aligned batches with less time per example;
// without a model the nearer one; none when neither can be simulated.
std::optional<int64_t> BetterBatch(const Facts& facts, int64_t smaller, int64_t larger) {
  if (facts.model == nullptr) {
    const int64_t batch = facts.batch_per_core;
    return smaller > 0 && batch - smaller < larger - batch ? smaller : larger;
  }
  std::optional<int64_t> best;
  Seconds least;
  for (const int64_t batch : {larger, smaller}) {
    const Simulated* model = batch < 1 ? nullptr : facts.session.AtBatch(batch);
    if (model == nullptr) continue;
    const Seconds per_example = model->timeline.step / static_cast<double>(batch);
    if (best && per_example >= least) continue;
    best = batch;
    least = per_example;
  }
  return best;
}

// The batch of a data set that nothing trains on.
bool IsOnlyLookedAt(const Facts& facts) {
  const Pipeline* pipeline = facts.workload.training_pipeline();
  return pipeline != nullptr && pipeline->role == PipelineRole::kLook && facts.model == nullptr;
}

// Loaders that C++ sources make with a batch that they name.
void CheckLoaders(const Facts& facts, Sink& sink) {
  const int64_t rows = facts.target.chip.sublanes;
  for (const SourceCall* loader : TrainingLoaders(facts)) {
    const SourceArgument* written = ArgumentOf(*loader, 1, "batch_size");
    const int64_t batch = KnownNumber(written, 0);
    if (batch < 2 || batch % rows == 0) continue;
    const int64_t larger = RoundUp(batch, rows);
    Finding& found = sink.Report(loader->location,
                                 "batch {} of {} is no multiple of {} however many cores share it, "
                                 "expected one that is; padded to {} or more",
                                 batch, NameOfLoader(*loader), rows, larger);
    found.severity = Severity::kInfo;
    found.cost.unknown = kNoStepInCpp;
    found.no_change = kNoStepInCpp;
    found.fix.text = fmt::format("use a batch of {}, or of {} for each core", larger, rows);
    if (!written->integers.empty()) {
      found.fix.edits = ReplaceCpp(facts.workload, written->span, fmt::format("{}", larger));
    }
  }
}

void Check(const Facts& facts, Sink& sink) {
  if (SpeaksWithoutModel(facts)) return CheckLoaders(facts, sink);
  // A batch that is written into the graph is not the one that is split here.
  const std::optional<Graph>& graph = facts.workload.graph;
  if (graph && graph->is_static()) return;
  const int64_t rows = facts.target.chip.sublanes;
  // The arrays of a step that sums gradients are as long as one of its parts.
  const int64_t parts = facts.training ? facts.session.spec().accumulation_steps : 1;
  const int64_t unit = rows * parts;
  const int64_t batch = facts.batch_per_core;
  const bool whole = facts.global_batch % facts.target.batch_shards() == 0;
  if (whole && batch % unit == 0) return;
  if (!facts.training && batch < rows) return;
  if (OneOrTwoSteps(facts) || IsOnlyLookedAt(facts) || !LocationOfBatch(facts).known()) return;
  const int64_t smaller = facts.global_batch / facts.target.batch_shards() / unit * unit;
  const int64_t larger = RoundUp(batch, unit);
  if (whole && !IsPadded(facts, larger)) return;
  const std::string in_parts =
      parts == 1 ? ""
                 : fmt::format(" in {} parts of {}", parts, FormatCount(CeilDiv(batch, parts)));
  Finding& found = sink.Report(
      LocationOfBatch(facts),
      "batch {} on {} cores is {}{} per core{}, expected a multiple of {}; {} {}",
      FormatCount(facts.global_batch), facts.target.batch_shards(), whole ? "" : "at most ",
      FormatCount(batch), in_parts, rows,
      facts.model == nullptr ? "tensors that are tiled by their batch are padded to" : "padded to",
      FormatCount(larger / parts));
  AddCost(facts, larger, found);
  found.change.batch_per_core = BetterBatch(facts, smaller, larger);
  const std::string down = Prediction(facts, smaller);
  const std::string written = WriteChange(facts, found.change, found);
  found.fix.text =
      fmt::format("{}{}use {}{}{}{}", written, written.empty() ? "" : ": ", down,
                  down.empty() ? "" : ", or ", Prediction(facts, larger),
                  facts.model == nullptr
                      ? ""
                      : fmt::format(" (simulated on {}; now {} a step)", facts.target.chip.name,
                                    FormatSeconds(facts.StepTime())));
}

}  // namespace

TW_RULE(AL002)

}  // namespace tilewise::AL002
