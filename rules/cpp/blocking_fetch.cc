// Flags values that a loop over executions waits for in each round.

#include <fmt/format.h>

#include "advice/locations.h"
#include "rules/cpp/api_calls.h"
#include "rules/rule.h"
#include "workload/blocks.h"

namespace tilewise::CX002 {
namespace {

constexpr RuleInfo kInfo = {
    .id = "CX002",
    .name = "blocking-fetch-in-loop",
    .fix = Applicability::kShow,
    .needs = {.script = true},
    .summary = "a C++ loop waits for the device after every execution",
    .no_cost = "how long the host takes between two executions is not in the source",
    .doc = R"(
What: in a C++ loop that executes a program in every round, a call that waits for it under no
condition: PjRtBuffer::ToLiteralSync(), BlockHostUntilReady(), GetReadyFuture().Await(),
ShapedBufferToLiteral(), ExecuteAndTransfer(), and PJRT_Event_Await() of PJRT's interface of C; in
the loop or in a function of the source that it calls.
Why: Execute() only queues the program. A call that waits for its result leaves the device idle from
its end until the host has queued the next one.
Remedy: fetch every N rounds, or start ToLiteral() with a callback, and wait for the result of the
round before while this one runs.
Ignore: loops whose next input is computed on the host from the last result, as in sampling.
Sources: XLA's PjRt interface; the per-step fetches that HL006 finds in Python.)",
};

bool WaitsForResult(const SourceCall& call) {
  if (IsOfC(call, "PJRT_Event_Await")) return true;
  if (IsMethodOf(call, "xla.PjRtBuffer", "ToLiteralSync|BlockHostUntilReady")) return true;
  if (LastName(call.name) == "Await") return Contains(call.receiver, "GetReadyFuture");
  return !IsByName(call) && IsMethodOf(call, "xla.LocalClient|xla.Client",
                                       "ShapedBufferToLiteral|ExecuteAndTransfer|Transfer");
}

void Check(const Facts& facts, Sink& sink) {
  const SourceFacts& source = facts.workload.facts;
  if (!IsCpp(facts.workload)) return;
  for (const SourceCall& call : source.calls) {
    if (!WaitsForResult(call)) continue;
    // The innermost loop may run over the results of one execution.
    int32_t loop = LoopThatReaches(source, call);
    while (loop >= 0 && !RunsPrograms(source, loop)) {
      const int32_t outer = LoopAround(source, source.contexts[loop].parent);
      const bool each = outer >= 0 && RunsEachTime(source, source.contexts[loop].parent, outer);
      loop = each ? outer : -1;
    }
    if (loop < 0) continue;
    Finding& found = sink.Report(
        call.location,
        "{}() waits for the device in every round of the loop at {}{}; expected a fetch every N "
        "rounds",
        LastName(call.name), LineText(source.contexts[loop].location, call.location),
        ByNameText(call));
    found.fix.text =
        "fetch behind `if (step % N == 0)`, or start ToLiteral() and wait for it one round later";
  }
}

}  // namespace

TW_RULE(CX002)

}  // namespace tilewise::CX002
