// Passes on what a log says of shuffle buffers that fill slowly.

#include <fmt/format.h>

#include "rules/rule.h"

namespace tilewise::IP025 {
namespace {

constexpr RuleInfo kInfo = {
    .id = "IP025",
    .name = "reported-shuffle-fill",
    .fix = Applicability::kShow,
    .summary = "a log tells that the shuffle buffer fills for long",
    .no_saving = "the stages before the buffer are not in the log",
    .doc = R"(
What: TensorFlow's line "Filling up shuffle buffer (this may take a while): N of
M" in a log, where the buffer takes more than min-seconds at that rate.
Why: no batch comes out before the buffer is full: the devices idle at the start,
and after each restart. A slow fill means that what is shuffled was read and
decoded before.
Remedy: shuffle file names and records before they are decoded, with a smaller
buffer behind; more parallel reads.
Ignore: runs of days.
Numbers: the rate between the first and the last line by their clock, else ten
seconds from line to line.
Sources: tensorflow shuffle_dataset_op.cc.)",
    .thresholds = {{"min-seconds", 20, "seconds to fill the buffer that are worth saying"}},
};

void Check(const Facts& facts, Sink& sink) {
  for (const InputWait& wait : facts.workload.run_log.input) {
    if (wait.kind != InputWait::Kind::kShuffleFill || wait.rate <= 0) continue;
    const Seconds fill{static_cast<double>(wait.size) / wait.rate};
    if (fill.value < sink.threshold("min-seconds")) continue;
    Finding& found = sink.Report(
        wait.location,
        "the shuffle buffer of {} examples fills at {:.4g} a second, {} until the first batch; "
        "expected a few seconds",
        FormatCount(wait.size), wait.rate, FormatSeconds(fill));
    found.measured = true;
    found.cost.once_per_run = fill;
    found.fix.text =
        "shuffle before map() decodes (file names, then records), with a buffer of some thousand "
        "examples, and read several files in parallel (interleave)";
  }
}

}  // namespace

TW_RULE(IP025)

}  // namespace tilewise::IP025
