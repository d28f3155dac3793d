// An argument is followed to the parameter that it is bound to, and from there
// as the loop's values are.

#include "rules/host_loop/called_fetch.h"

#include <algorithm>

#include "rules/host_loop/step_loops.h"
#include "workload/blocks.h"

namespace tilewise {
namespace {

constexpr int kDeepest = 3;

// Parameters of the function that the call gives one of `names` to.
std::vector<std::string> Given(const SourceContext& function, const SourceCall& call,
                               const std::vector<std::string>& names) {
  std::vector<std::string> parameters = function.targets;
  const bool is_method =
      !parameters.empty() && (parameters.front() == "self" || parameters.front() == "cls");
  // `Meter.add(self, loss)` gives the object, too.
  const bool gives_object = !call.arguments.empty() && call.arguments.front().text == "self";
  if (is_method && !gives_object) parameters.erase(parameters.begin());
  std::vector<std::string> given;
  for (size_t i = 0; i < call.arguments.size(); ++i) {
    const SourceArgument& argument = call.arguments[i];
    if (!ReadsValue(argument.text, argument.names, names)) continue;
    if (!argument.keyword.empty()) {
      if (IsOneOf(argument.keyword, parameters)) given.push_back(argument.keyword);
    } else if (i < parameters.size() && !call.open) {
      given.push_back(parameters[i]);
    }
  }
  return given;
}

// The parameter is given another value before it is read: loss = loss.detach().
bool IsBoundAnew(const SourceFacts& facts, int32_t function, const std::string& name) {
  return std::ranges::any_of(facts.assignments, [&](const SourceAssignment& assignment) {
    return IsInside(facts, assignment.context, function) && IsOneOf(name, assignment.targets);
  });
}

const SourceCall* Follow(const SourceFacts& facts, const TracedFunctions& traced,
                         const SourceCall& call, const std::vector<std::string>& names,
                         int nesting) {
  const int32_t function = DefinitionOf(facts, call.name, call.context);
  if (function < 0 || nesting > kDeepest || !facts.contexts[function].decorators.empty()) {
    return nullptr;
  }
  std::vector<std::string> given = Given(facts.contexts[function], call, names);
  std::erase_if(given, [&](const std::string& name) { return IsBoundAnew(facts, function, name); });
  if (given.empty()) return nullptr;
  for (const SourceCall& inner : facts.calls) {
    if (FunctionAround(facts, inner.context) != function) continue;
    if (!RunsEachTime(facts, inner.context, function)) continue;
    if (traced.Covers(inner.context)) return nullptr;
    if (Fetches(inner, given)) return &inner;
    if (const SourceCall* found = Follow(facts, traced, inner, given, nesting + 1)) return found;
  }
  return nullptr;
}

}  // namespace

const SourceCall* FetchInCalled(const SourceFacts& facts, const TracedFunctions& traced,
                                const SourceCall& call, const std::vector<std::string>& on_device) {
  return Follow(facts, traced, call, on_device, 0);
}

}  // namespace tilewise
