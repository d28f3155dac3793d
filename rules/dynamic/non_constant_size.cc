// Flags ops that take a size which the step computes.

#include <algorithm>

#include <fmt/format.h>

#include "rules/operators/source.h"

namespace tilewise::DY004 {
namespace {

constexpr RuleInfo kInfo = {
    .id = "DY004",
    .name = "non-constant-size",
    .severity = Severity::kError,
    .needs = {.graph = true},
    .summary = "a size is a value that the step computes",
    .doc = R"(
What: a resize, range, fill, reshape, tile, pad or top_k whose size is an input
of the step or computed from values rather than from constants and shapes.
Why: XLA needs the number when it compiles: "must be a compile-time constant".
The program is refused, or compiled again for every number that comes.
Remedy: make the size a constant where the model is built; shapes of tensors are
constants to the compiler, values are not.
Ignore: sizes that come from an op whose own result is sized by data: that op is
reported (DY003), its followers are not.
Numbers: none: the program does not run as it is.
Sources: tensorflow#51693, tensorflow#48602, tensorflow#122057.)",
};

void Report(const SourceOp& op, Sink& sink) {
  Finding& found = sink.Report(op.location,
                               "{} takes {} from a value of the step, expected a number that is "
                               "known before the program is compiled",
                               NameOfSource(op), op.detail);
  found.cost.unknown = "the program does not compile for one size alone";
  found.fix.text = fmt::format(
      "make {} a constant where the model is built, or derive it from the shape of a tensor",
      op.detail);
}

void Check(const Facts& facts, Sink& sink) {
  const std::vector<bool> sized_by_data = ComputedFrom(facts, OpTrait::kDataDependentShape);
  for (const SourceOp& op : facts.workload.module.ops) {
    if (op.trait != OpTrait::kComputedSize) continue;
    bool follows = false;
    for (OpId id = op.first; id < std::min(op.end, OpId(facts.source->size())); ++id) {
      follows = follows || sized_by_data[id];
    }
    if (!follows) Report(op, sink);
  }
}

}  // namespace

TW_RULE(DY004)

}  // namespace tilewise::DY004
