// Passes on what a log says of compilations that take long, with their times.

#include <algorithm>

#include <fmt/format.h>

#include "rules/rule.h"

namespace tilewise::CO007 {
namespace {

constexpr RuleInfo kInfo = {
    .id = "CO007",
    .name = "reported-slow-compile",
    .fix = Applicability::kShow,
    .summary = "a log tells of a compilation that took long",
    .no_saving = "compilation is paid once per run and is no part of a step",
    .doc = R"(
What: in a log, XLA's alarm "Very slow compile?", which it raises after two
minutes; its warning that constant folding of one instruction takes more than a
second; torch_xla's longest compilation above 300 s; a compilation that JAX
reports (jax_log_compiles) of more than min-seconds.
Why: the devices idle meanwhile, at every start and after every change of a
shape. A value that is folded is computed by the compiler on one core of the
host, and is stored in the program.
Remedy: loops as lax.scan, fori_loop or while instead of unrolled copies; one
shape instead of many; the persistent compilation cache. Of folding: pass the
array as an argument instead of closing over it; compute it from something that
is passed in.
Ignore: runs of days that compile once.
Numbers: those of the log; an alarm and its end count as one compilation, and one
without an end took at least the time of the alarm.
Sources: openxla/xla slow_operation_alarm.cc; jax#3891, dm-haiku#539, jax#21300.)",
    .thresholds = {{"min-seconds", 120, "seconds of a compilation that are worth saying"}},
};

std::string Took(const LoggedCompile& compile) {
  if (compile.time > Seconds{}) return fmt::format("took {}", FormatSeconds(compile.time));
  return fmt::format("took at least {}: the log ends before it does",
                     FormatSeconds(compile.at_least));
}

void ReportFolding(const LoggedCompile& compile, Sink& sink) {
  const std::string place =
      compile.source.known() ? fmt::format(" at {}", FormatLocation(compile.source)) : "";
  Finding& found =
      sink.Report(compile.location,
                  "constant folding of {}{} {}, expected values that the program computes from its "
                  "arguments",
                  compile.name.substr(0, 160), place,
                  compile.time > Seconds{}
                      ? fmt::format("took {}", FormatSeconds(compile.time))
                      : fmt::format("takes more than {}", FormatSeconds(compile.at_least)));
  found.measured = true;
  found.cost.once_per_run = std::max(compile.time, compile.at_least);
  found.fix.text =
      "pass the array as an argument of the compiled function instead of closing over it, or "
      "compute it inside from something that is passed in; a window count of an average pool is "
      "broadcast over the batch after it is computed, or left out with VALID padding";
}

void Check(const Facts& facts, Sink& sink) {
  for (const LoggedCompile& compile : facts.workload.run_log.compiles) {
    if (compile.kind == LoggedCompile::Kind::kFolding) {
      ReportFolding(compile, sink);
      continue;
    }
    const Seconds took = std::max(compile.time, compile.at_least);
    if (took.value < sink.threshold("min-seconds")) continue;
    const std::string name =
        compile.name == "the longest" ? "the longest compilation" : "compiling " + compile.name;
    Finding& found = sink.Report(
        compile.location, "{} {}{}, expected under {}", name, Took(compile),
        compile.times > 1 ? fmt::format(" on average, {} times", FormatCount(compile.times)) : "",
        FormatSeconds({sink.threshold("min-seconds")}));
    found.measured = true;
    found.cost.once_per_run = took * static_cast<double>(compile.times);
    found.fix.text =
        "write repeated layers and steps as a loop (lax.scan, fori_loop, tf.while_loop, "
        "scan_layers) instead of unrolled copies, keep shapes to few (padding, buckets), and keep "
        "compiled programs (jax_compilation_cache_dir, XLA_PERSISTENT_CACHE_PATH)";
  }
}

}  // namespace

TW_RULE(CO007)

}  // namespace tilewise::CO007
