// Flags Session::Run with constant names in a loop.

#include <algorithm>

#include <fmt/format.h>

#include "advice/locations.h"
#include "rules/cpp/api_calls.h"
#include "rules/rule.h"
#include "workload/blocks.h"

namespace tilewise::CX005 {
namespace {

constexpr RuleInfo kInfo = {
    .id = "CX005",
    .name = "session-run-in-loop",
    .severity = Severity::kInfo,
    .needs = {.script = true},
    .summary = "a C++ loop has names of feeds and fetches looked up in every round",
    .no_cost = "what a lookup costs depends on the graph",
    .doc = R"(
What: tensorflow::Session::Run() in a loop, with names of feeds or fetches that are literals, and no
MakeCallable() in the source.
Why: Run() looks the names up, hashes them and finds its executor anew in every round, and copies
feeds and fetches through the host; a callable has all that prepared.
Remedy: MakeCallable() once, and RunCallable() in the loop.
Ignore: tools that run a graph a few times.
Sources: the interface of tensorflow::Session.)",
};

void Check(const Facts& facts, Sink& sink) {
  const SourceFacts& source = facts.workload.facts;
  if (!IsCpp(facts.workload)) return;
  const bool prepared = std::ranges::any_of(
      source.calls, [](const SourceCall& call) { return LastName(call.name) == "MakeCallable"; });
  if (prepared) return;
  for (const SourceCall& call : source.calls) {
    if (IsByName(call) || !IsMethodOf(call, "tensorflow.Session", "Run")) continue;
    const int32_t loop = LoopThatRuns(source, call);
    const bool literal = std::ranges::any_of(
        call.arguments, [](const SourceArgument& each) { return Contains(each.text, "\""); });
    if (loop < 0 || !literal) continue;
    Finding& found = sink.Report(
        call.location,
        "Run() looks its names up in every round of the loop at {}; expected a callable",
        LineText(source.contexts[loop].location, call.location));
    found.fix.text = "call MakeCallable() once before the loop, and RunCallable() in it";
  }
}

}  // namespace

TW_RULE(CX005)

}  // namespace tilewise::CX005
