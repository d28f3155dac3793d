// Passes on what a log says of programs that are compiled or traced again while
// the run goes on.

#include <fmt/format.h>

#include "rules/rule.h"

namespace tilewise::CO008 {
namespace {

constexpr RuleInfo kInfo = {
    .id = "CO008",
    .name = "reported-recompilation",
    .fix = Applicability::kShow,
    .summary = "a log tells of compilations that go on during the run",
    .no_saving = "how long a step takes without them is not in the log",
    .doc = R"(
What: in a log, compilations that keep coming: torch_xla's metrics or its analysis
(PT_XLA_DEBUG) with more than one compilation in two steps, tf.function's
warning of retracing, JAX's lines of one function that is compiled again for the
same shapes, JAX's reasons of cache misses (jax_explain_cache_misses), fairseq's
notes of compilations.
Why: the devices stop for each, for seconds or minutes. What changes is a shape,
a Python number that became part of the graph, or the function object itself.
Remedy: pad to one shape or a few; hand numbers over as tensors; make jitted
functions once, outside of loops; give tf.function an input_signature.
Ignore: the first steps of a run, in which every program is compiled once.
Numbers: counts and times of the log. Where reports repeat, the growth from the
first to the last counts, because the first holds the warm-up.
Sources: pytorch/xla troubleshoot.md (0.5 per step), pytorch/xla#1368,
tensorflow polymorphic_function.py, JAX slow_tracing_compilation.md.)",
};

std::string_view Remedy(const RepeatedCompile& repeated) {
  if (repeated.writer == "tf.function") {
    return "define the tf.function once, outside of loops, give it an input_signature with None "
           "for what varies, and pass tensors instead of Python numbers";
  }
  if (repeated.writer == "JAX") {
    return "make the function, partial or lambda once and keep it, instead of anew for each call; "
           "mark what selects code paths with static_argnums and pass the rest as arrays";
  }
  return "pad or bucket the lengths (one shape each), drop the last partial batch, keep Python "
         "numbers that change out of the graph, and look for values that are read in the step";
}

std::string CountText(const RepeatedCompile& repeated) {
  std::string text = fmt::format("{} compilations", FormatCount(repeated.compiles));
  if (repeated.writer == "tf.function") {
    return fmt::format("{} of {} calls were traced anew", FormatCount(repeated.compiles),
                       FormatCount(repeated.steps));
  }
  if (repeated.steps > 0) {
    text +=
        fmt::format(" in {} step{} ({:.3g} a step)", FormatCount(repeated.steps),
                    repeated.steps == 1 ? "" : "s",
                    static_cast<double>(repeated.compiles) / static_cast<double>(repeated.steps));
  }
  return text;
}

void Check(const Facts& facts, Sink& sink) {
  for (const RepeatedCompile& repeated : facts.workload.run_log.repeated) {
    const std::string who = repeated.name.empty()
                                ? repeated.writer
                                : fmt::format("{}, {}", repeated.writer, repeated.name);
    Finding& found = sink.Report(
        repeated.location, "{}: {}{}{}, expected none once every program was compiled{}", who,
        CountText(repeated),
        repeated.time > Seconds{} ? fmt::format(", {} in all", FormatSeconds(repeated.time)) : "",
        repeated.cause.empty() ? "" : "; " + repeated.cause,
        repeated.early ? "; in the first steps some are normal: it is slow only if they go on"
                       : "");
    found.measured = true;
    if (repeated.early) found.severity = Severity::kInfo;
    if (repeated.time > Seconds{} && repeated.steps > 0) {
      found.cost.time_per_step = repeated.time / static_cast<double>(repeated.steps);
      found.cost.of_wall_step = true;
    } else if (repeated.time > Seconds{}) {
      found.cost.once_per_run = repeated.time;
    } else {
      found.cost.unknown = "the log does not say how long they take";
    }
    found.fix.text = Remedy(repeated);
  }
}

}  // namespace

TW_RULE(CO008)

}  // namespace tilewise::CO008
