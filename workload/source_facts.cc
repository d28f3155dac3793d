// Joining the facts of several files: indices move, nothing else changes.

#include "workload/source_facts.h"

#include <iterator>
#include <utility>

namespace tilewise {
namespace {

void Move(int32_t& index, size_t by) {
  if (index >= 0) index += static_cast<int32_t>(by);
}

void MoveArguments(std::vector<SourceArgument>& arguments, size_t by) {
  for (SourceArgument& argument : arguments) Move(argument.call, by);
}

template <typename T>
void MoveTo(std::vector<T>& to, std::vector<T>& from) {
  to.insert(to.end(), std::make_move_iterator(from.begin()), std::make_move_iterator(from.end()));
}

}  // namespace

void SourceFacts::Append(SourceFacts other) {
  const size_t first_call = calls.size();
  const size_t first_context = contexts.size();
  for (SourceCall& call : other.calls) {
    Move(call.context, first_context);
    Move(call.outer, first_call);
    MoveArguments(call.arguments, first_call);
  }
  for (SourceContext& context : other.contexts) {
    Move(context.parent, first_context);
    Move(context.call, first_call);
    for (SourceDecorator& decorator : context.decorators) {
      MoveArguments(decorator.arguments, first_call);
    }
  }
  for (SourceAssignment& assignment : other.assignments) {
    Move(assignment.call, first_call);
    Move(assignment.context, first_context);
  }
  for (SourceSubscript& subscript : other.subscripts) {
    Move(subscript.outer, first_call);
    Move(subscript.context, first_context);
  }
  MoveTo(calls, other.calls);
  MoveTo(imported_calls, other.imported_calls);
  MoveTo(contexts, other.contexts);
  MoveTo(assignments, other.assignments);
  MoveTo(subscripts, other.subscripts);
  MoveTo(imports, other.imports);
  MoveTo(versions, other.versions);
  MoveTo(environment, other.environment);
  tpu_strategy = tpu_strategy || other.tpu_strategy;
  if (!precision_policy.has_value() && other.precision_policy.has_value()) {
    precision_policy = other.precision_policy;
    precision_policy_location = other.precision_policy_location;
  } else if (!precision_policy_location.known()) {
    precision_policy_location = other.precision_policy_location;
  }
}

}  // namespace tilewise
