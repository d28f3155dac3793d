// Passes on why a run ended, where it was not for memory.

#include <algorithm>

#include <fmt/format.h>

#include "rules/rule.h"

namespace tilewise::DI011 {
namespace {

constexpr RuleInfo kInfo = {
    .id = "DI011",
    .name = "reported-failure",
    .severity = Severity::kError,
    .fix = Applicability::kShow,
    .summary = "a log says that the run ended, and not for want of memory",
    .no_saving = "nothing of it is simulated",
    .no_cost = "the run ended",
    .doc = R"(
What: messages of XLA's TPU runtime in a log: a core that halted because hosts run
different programs (E0200), arrays in another layout than a program was compiled
for (E0102), outputs in host memory (E1200), kernels that Mosaic does not compile
(E2000 on), a SparseCore without room (E3000).
Why: they look like failures of memory or of the machine, and are neither.
Remedy: per message.
Ignore: logs of runs that were repaired since.
Numbers: sizes of both layouts where the message has them: the larger one is
mostly padding when a small dimension is the minor one.
Sources: XLA docs/errors.)",
};

void Check(const Facts& facts, Sink& sink) {
  for (const RunFailure& failure : facts.workload.run_log.failures) {
    std::string sizes;
    if (failure.expected.value > 0 && failure.found.value > 0) {
      const auto larger = static_cast<double>(std::max(failure.expected, failure.found).value);
      const auto smaller = static_cast<double>(std::min(failure.expected, failure.found).value);
      sizes =
          fmt::format("; expected {}, got {} ({:.1f} times, which is padding)",
                      FormatBytes(failure.expected), FormatBytes(failure.found), larger / smaller);
    }
    Finding& found = sink.Report(
        failure.location, "{}: {}{}{}", failure.code, failure.what, sizes,
        failure.times > 1 ? fmt::format(" ({} times)", FormatCount(failure.times)) : "");
    found.measured = true;
    found.fix.text = failure.advice;
  }
}

}  // namespace

TW_RULE(DI011)

}  // namespace tilewise::DI011
