// Flags a lowered step with so many ops that compiling it takes minutes.

#include "advice/locations.h"
#include "rules/rule.h"
#include "session/compile_time.h"

namespace tilewise::CO002 {
namespace {

constexpr RuleInfo kInfo = {
    .id = "CO002",
    .name = "oversized-module",
    .needs = {.model = true},
    .summary = "the step has so many ops that compilation takes minutes",
    .no_saving = "compilation is paid once per run and is no part of a step",
    .doc = R"(
What: the training step has more than 15,000 ops after lowering (info), 50,000
(warning), 100,000 (error).
Why: compile time grows at least linearly with the number of ops, and some
passes grow faster. Measured: 136,000 ops took 3.5 to 4.5 minutes each time
(pytorch/xla#1155); a network of 1,019 layers compiled for 410 s and then hung.
Remedy: put repeated blocks in a loop over stacked weights, split the step, and
keep a persistent compilation cache.
Ignore: when the program compiles once and the result is cached.
Numbers: ops times the two published rates; the cost is the lower one.
Sources: pytorch/xla#1155, #5058.)",
};

constexpr int64_t kInfoOps = 15'000;
constexpr int64_t kWarningOps = 50'000;
constexpr int64_t kErrorOps = 100'000;

void Check(const Facts& facts, Sink& sink) {
  const int64_t ops = CompiledOps(facts.model->program.graph);
  if (ops <= kInfoOps) return;
  const CompileTime compile = CompileTimeOf(ops);
  Diagnostic& found =
      sink.Report(LocationOfModel(facts),
                  "the {} has {} ops after lowering, expected at most {}; compiling it takes {} "
                  "(estimate, from 136,000 ops in 210 s and a network of 1,019 layers in 410 s)",
                  facts.training ? "training step" : "inference step", FormatCount(ops),
                  FormatCount(kInfoOps), FormatCompileTime(compile));
  found.cost.once_per_run = compile.least;
  found.severity = ops > kErrorOps     ? Severity::kError
                   : ops > kWarningOps ? Severity::kWarning
                                       : Severity::kInfo;
  found.fix.text =
      "run repeated blocks in a loop over stacked weights, and turn on a persistent compilation "
      "cache";
}

}  // namespace

TW_RULE(CO002)

}  // namespace tilewise::CO002
