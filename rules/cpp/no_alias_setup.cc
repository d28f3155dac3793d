// Flags loops that pass a program's results back to it without an alias of its parameters.

#include <algorithm>

#include <fmt/format.h>

#include "advice/locations.h"
#include "rules/cpp/api_calls.h"
#include "rules/rule.h"
#include "workload/blocks.h"

namespace tilewise::CX004 {
namespace {

constexpr RuleInfo kInfo = {
    .id = "CX004",
    .name = "no-alias-setup",
    .fix = Applicability::kShow,
    .needs = {.script = true},
    .summary = "an XlaBuilder program gets its state back in a new buffer",
    .no_cost = "the size of the state is not in the source",
    .doc = R"(
What: a C++ source that builds a program with XlaBuilder and executes it in a loop in which results
become arguments of the next execution, without XlaBuilder::SetUpAlias().
Why: without an alias the program writes the new state beside the old one: the state takes twice
its memory, and the loop cannot update it in place.
Remedy: SetUpAlias({output}, parameter, {}) for each part of the state, and give the argument up in
the execution: an alias that is not donated costs a copy.
Ignore: inference, and a caller that still needs the old state.
Sources: the comment of XlaBuilder::SetUpAlias; ME002 for compiled modules.)",
};

bool CallsOf(const SourceFacts& facts, std::string_view name) {
  return std::ranges::any_of(facts.calls, [&](const SourceCall& call) {
    return LastName(call.name) == name || call.name == name;
  });
}

std::vector<std::string> ArgumentNames(const SourceCall& call) {
  std::vector<std::string> names;
  for (const SourceArgument& argument : call.arguments) {
    names.insert(names.end(), argument.names.begin(), argument.names.end());
  }
  return names;
}

// What variables of the loop are made of the names, in some steps.
std::vector<std::string> Derived(const SourceFacts& facts, int32_t loop,
                                 std::vector<std::string> names) {
  for (bool grows = true; grows;) {
    grows = false;
    for (const SourceAssignment& each : facts.assignments) {
      if (!IsInside(facts, each.context, loop) || !HaveCommon(each.names, names)) continue;
      for (const std::string& target : each.targets) {
        std::string whole = target.substr(0, target.find_first_of("[.-"));
        if (IsOneOf(whole, names)) continue;
        names.push_back(std::move(whole));
        grows = true;
      }
    }
  }
  return names;
}

void Check(const Facts& facts, Sink& sink) {
  const SourceFacts& source = facts.workload.facts;
  if (!IsCpp(facts.workload)) return;
  if (!CallsOf(source, "xla.XlaBuilder") || CallsOf(source, "SetUpAlias")) return;
  for (const SourceCall& call : source.calls) {
    if (!RunsProgram(call)) continue;
    const int32_t loop = LoopThatRuns(source, call);
    if (loop < 0 || call.results.empty()) continue;
    const std::vector<std::string> state = Derived(source, loop, call.results);
    if (!HaveCommon(state, ArgumentNames(call))) continue;
    Finding& found = sink.Report(
        call.location,
        "results of {}() are its arguments in the next round of the loop at {}, and the program "
        "has no SetUpAlias(); expected the state to be updated in place",
        LastName(call.name), LineText(source.contexts[loop].location, call.location));
    found.fix.text =
        "call SetUpAlias({output}, parameter, {}) on the builder for each part of the state, and "
        "donate the argument";
  }
}

}  // namespace

TW_RULE(CX004)

}  // namespace tilewise::CX004
