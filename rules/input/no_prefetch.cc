// Flags a pipeline that never prefetches.

#include <optional>
#include <string_view>

#include <fmt/format.h>

#include "advice/pipeline_change.h"
#include "edit/python.h"
#include "rules/input/feed.h"

namespace tilewise::IP001 {
namespace {

constexpr RuleInfo kInfo = {
    .id = "IP001",
    .name = "no-prefetch",
    .fix = Applicability::kSafe,
    .summary = "the pipeline ends without prefetch",
    .doc = R"(
What: a batched pipeline without any prefetch stage.
Why: without prefetch the host prepares a batch while the device waits, and the
device computes while the host waits. A buffer lets both work at once.
Remedy: .prefetch(tf.data.AUTOTUNE) as the last stage.
Ignore: TensorFlow 2.13 and later put a prefetch behind a last stage that is
sequential; where the program pins such a release the finding is info. Written
out it depends neither on the release nor on the options.
Sources: tf.data performance guide, xprof.)",
};

// What the runtime may do by itself.
std::string_view InjectionNote(std::optional<bool> injected) {
  if (!injected) {
    return "; releases from 2.13 on may add it by themselves, written out it is sure";
  }
  return *injected ? "; this release adds it by itself, written out it does not depend on that"
                   : "; nothing adds it by itself here";
}

void Check(const Facts& facts, Sink& sink) {
  for (const Pipeline* pipeline : FeedPipelines(facts)) {
    if (pipeline->batch() == nullptr) continue;
    if (FirstOf(*pipeline, {StageKind::kPrefetch})) continue;
    const Stage& last = pipeline->stages.back();
    const std::optional<bool> injected = Rewrites(facts, *pipeline, "inject_prefetch", 2, 13);
    Finding& found = sink.Report(last.location,
                                 "the pipeline ends in {} without prefetch, expected one as its "
                                 "last stage, so that input and device overlap{}",
                                 StageName(last.kind), InjectionNote(injected));
    if (injected.value_or(false)) found.severity = Severity::kInfo;
    AddLoopFix(facts, *pipeline, EndingInPrefetch(*pipeline), found);
    const std::string call =
        fmt::format(".prefetch({})", AutotuneIn(facts.workload, last.location.file));
    found.fix.text = fmt::format("append {}", call);
    found.fix.edits = AppendCall(facts.workload, last.call, call);
  }
}

}  // namespace

TW_RULE(IP001)

}  // namespace tilewise::IP001
