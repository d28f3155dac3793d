// Flags a pipeline that never prefetches.

#include <fmt/format.h>

#include "rules/edits.h"
#include "rules/input/chain.h"
#include "rules/input/loop_cost.h"

namespace tilewise {
namespace {

constexpr RuleInfo kInfo = {
    .id = "IP001",
    .name = "no-prefetch",
    .severity = Severity::kWarning,
    .fix = Applicability::kSafe,
    .summary = "the pipeline ends without prefetch",
    .doc = R"(
What: a batched pipeline without any prefetch stage.
Why: without prefetch the host prepares a batch while the device waits, and the
device computes while the host waits. A buffer lets both work at once.
Remedy: .prefetch(tf.data.AUTOTUNE) as the last stage.
Ignore: some runtimes inject a prefetch by themselves; written out it does not
depend on the version or on the options.
Sources: tf.data performance guide, xprof.)",
};

void Check(const Facts& facts, Sink& sink) {
  for (const Pipeline* pipeline : FeedPipelines(facts)) {
    if (pipeline->batch() == nullptr) continue;
    if (FirstOf(*pipeline, {StageKind::kPrefetch})) continue;
    const Stage& last = pipeline->stages.back();
    Diagnostic& found = sink.Report(
        last.location,
        fmt::format("the pipeline ends in {} without prefetch, expected one as "
                    "its last stage, so that input and device overlap",
                    StageName(last.kind)));
    const Pipeline fixed =
        WithStage(*pipeline, pipeline->stages.size(), StageKind::kPrefetch);
    AddLoopCost(facts, *pipeline, fixed, found);
    const std::string call = fmt::format(
        ".prefetch({})", AutotuneIn(facts.workload, last.location.file));
    found.fix.text = fmt::format("append {}", call);
    found.fix.edits = AppendCall(facts.workload, last.call, call);
  }
}

}  // namespace

TW_RULE(IP001)

}  // namespace tilewise
