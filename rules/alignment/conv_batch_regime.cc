// Flags convolutions whose batch is just on the side of 64 where the compiler's
// choice of lanes pads more.

#include <map>
#include <optional>

#include <fmt/format.h>

#include "advice/change_in_files.h"
#include "advice/locations.h"
#include "base/math.h"
#include "rules/rule.h"
#include "session/forward_values.h"
#include "session/session.h"

namespace tilewise::AL004 {
namespace {

constexpr RuleInfo kInfo = {
    .id = "AL004",
    .name = "conv-batch-regime",
    .fix = Applicability::kUnsafe,
    .needs = {.model = true, .batch = true},
    .summary = "the batch is on the side of 64 where convolutions pad more",
    .doc = R"(
What: images of the convolutions take at least 20 % fewer padded bytes per
example on the other side of a batch per core of 64.
Why: the batch that most convolutions have decides which dim gets the 128 lanes.
Below 64 features are padded to 128 and the batch to 8; from 64 on the batch is
padded to 128 and features to 8. So 48 examples of 24 features are padded more
than five times, 128 of them not at all.
Remedy: for narrow features a batch per core of 64 or better 128; for a batch of
64 to 100 with wide features one below 64 or of 128.
Ignore: when the batch follows from the optimisation, and for a compiled module,
whose layouts are what they are. Nothing is said of a module for single examples.
Numbers: padded bytes of the images, and the step, lowered and simulated at both
batches.
Sources: Cloud TPU function notes (tf.nn.conv2d).)",
    .thresholds = {{"min-padding", 0.2, "share of the padded bytes that the other side saves"},
                   {"regime-batch", 64, "batch from which it goes to the lanes"}},
};

// The batch of most convolutions; 0 without any.
int64_t MostCommonBatch(const Facts& facts) {
  std::map<int64_t, int64_t> count;
  for (const Op& op : facts.source->ops()) {
    if (op.kind == OpKind::kConvolution) {
      ++count[facts.source->operand(op, 0).shape.size(0)];
    }
  }
  int64_t best = 0;
  int64_t most = 0;
  for (const auto& [batch, number] : count) {
    if (number <= most) continue;
    most = number;
    best = batch;
  }
  return best;
}

// Padded bytes of what convolutions of the forward pass read and write.
Bytes ImageBytes(const Simulated& model, const Chip& chip) {
  Bytes total;
  const Program& program = model.program;
  for (const Op& op : program.graph.ops()) {
    if (op.kind != OpKind::kConvolution || op.phase != Phase::kForward) {
      continue;
    }
    total += StoredBytes(program, op.id, chip);
    total += StoredBytes(program, op.operands[0], chip);
  }
  return total;
}

double PerExample(Bytes bytes, int64_t batch) {
  return static_cast<double>(bytes.value) / static_cast<double>(batch);
}

struct Side {
  int64_t batch = 0;
  double bytes = 0;  // per example
  Seconds step;
};

// The better batch on the other side of `regime`; none when nothing there pads
// enough less, or fits.
std::optional<Side> OtherSide(const Facts& facts, const Side& now, int64_t regime, double enough) {
  std::optional<Side> best;
  const int64_t lanes = facts.target.chip.lanes;
  const int64_t below = (regime - 1) / facts.target.chip.sublanes * facts.target.chip.sublanes;
  const int64_t first = now.batch < regime ? regime : below;
  const int64_t second = now.batch < regime ? RoundUp(regime, lanes) : below;
  for (const int64_t batch : {first, second}) {
    const Simulated* model = facts.session.AtBatch(batch);
    if (model == nullptr || !model->program.memory.fits()) continue;
    const double bytes = PerExample(ImageBytes(*model, facts.target.chip), batch);
    if (bytes > (1 - enough) * now.bytes) continue;
    if (best && bytes >= best->bytes) continue;
    best = Side{batch, bytes, model->timeline.step};
  }
  return best;
}

void Report(const Facts& facts, const Side& now, const Side& other, Sink& sink) {
  const Seconds at_its_rate =
      other.step * (static_cast<double>(now.batch) / static_cast<double>(other.batch));
  const Seconds lost = now.step - at_its_rate;
  Finding& found = sink.Report(
      LocationOfBatch(facts),
      "images of the convolutions take {} per example at batch {} per core, expected {} as at {}: "
      "below {} features are padded to {}, from there on the batch is (simulated on {})",
      FormatBytes({static_cast<int64_t>(now.bytes)}), FormatCount(now.batch),
      FormatBytes({static_cast<int64_t>(other.bytes)}), FormatCount(other.batch),
      sink.threshold("regime-batch"), facts.target.chip.lanes, facts.target.chip.name);
  if (lost.value > 0) {
    found.cost = DeviceCost(facts, lost);
  }
  found.cost.bytes =
      Bytes{static_cast<int64_t>((now.bytes - other.bytes) * static_cast<double>(now.batch))};
  found.fix.text = fmt::format(
      "use a batch per core of {} (global {}): {} a step, {} per example instead of {}",
      FormatCount(other.batch), FormatCount(other.batch * facts.target.batch_shards()),
      FormatSeconds(other.step), FormatSeconds(other.step / static_cast<double>(other.batch)),
      FormatSeconds(now.step / static_cast<double>(now.batch)));
  MarkUnlessWorthSaying(facts, found);
  found.change.batch_per_core = other.batch;
  WriteChange(facts, found.change, found);
}

void Check(const Facts& facts, Sink& sink) {
  if (facts.model->program.compiled) return;
  const int64_t batch = MostCommonBatch(facts);
  // Single examples are meant.
  if (!facts.training && batch < facts.target.chip.sublanes) return;
  if (batch == 0 || batch != facts.batch_per_core) return;
  const auto regime = static_cast<int64_t>(sink.threshold("regime-batch"));
  const Side now = {batch, PerExample(ImageBytes(*facts.model, facts.target.chip), batch),
                    facts.StepTime()};
  const std::optional<Side> other = OtherSide(facts, now, regime, sink.threshold("min-padding"));
  if (!other || !LocationOfBatch(facts).known()) return;
  const Seconds per_example = other->step / static_cast<double>(other->batch);
  const Seconds lost = facts.StepTime() - per_example * static_cast<double>(batch);
  // Fewer bytes that the step takes longer for are no advice.
  if (lost.value < 0) return;
  Report(facts, now, *other, sink);
}

}  // namespace

TW_RULE(AL004)

}  // namespace tilewise::AL004
