// Flags functions that are compiled again for other shapes of their arguments.

#include <fmt/format.h>

#include "rules/rule.h"

namespace tilewise::CO004 {
namespace {

constexpr RuleInfo kInfo = {
    .id = "CO004",
    .name = "shape-variants",
    .fix = Applicability::kShow,
    .summary = "one function is compiled for three or more shapes",
    .no_saving = "compilation is paid once per run and is no part of a step",
    .doc = R"(
What: a folder of compiler dumps, or a log of compilations, in which one function
stands with three or more different shapes of its parameters.
Why: XLA compiles a program for fixed shapes. Every new shape, a last batch that
is smaller, a sentence that is longer, stops the device for a whole compilation,
minutes for a large model, and keeps another program in its memory.
Remedy: pad to one shape, or to a few buckets; drop_remainder=True for batches.
Ignore: buckets that are meant, when each is compiled once.
Numbers: shapes and modules of the dumps or the log.
Sources: pytorch/xla docs on recompilation, tensorflow#29825.)",
};

constexpr int64_t kFewShapes = 2;  // a first and a last batch, say

void Check(const Facts& facts, Sink& sink) {
  for (const RecompiledFunction& function : facts.workload.recompiled) {
    if (function.shapes <= kFewShapes) continue;
    Finding& found =
        sink.Report(function.location,
                    "{} was compiled {} times for {} different shapes, expected one or two; {}",
                    function.name.substr(0, 200), function.modules, function.shapes,
                    fmt::join(function.differences, "; "));
    found.measured = function.time > Seconds{};
    if (found.measured) {
      found.cost.once_per_run = function.time;
    } else {
      found.cost.unknown = "the files do not say how long a compilation took";
    }
    found.fix.text =
        "pad these arguments to one shape, or to a few buckets; batch with drop_remainder=True";
  }
}

}  // namespace

TW_RULE(CO004)

}  // namespace tilewise::CO004
