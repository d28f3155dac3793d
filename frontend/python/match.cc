// match: cases become branches. Constants, names of constants, captures,
// alternatives and `as` are followed; a case with a pattern of another kind may
// run or not.

#include "frontend/python/interpreter.h"

namespace tilewise::python {
namespace {

Value Resolve(Interpreter& in, Node dotted) {
  const std::vector<Node> names = dotted.children();
  Value value = in.Eval(names[0]);
  for (size_t i = 1; i < names.size(); ++i) {
    value = in.Attribute(value, std::string(names[i].text()), dotted);
  }
  return value;
}

// Whether the pattern takes the subject: a bool, or unknown.
Value Matches(Interpreter& in, const Value& subject, Node pattern) {
  const std::vector<Node> parts = pattern.children();
  if (pattern.text() == "_") return {true};
  if (pattern.is("case_pattern") && parts.size() == 1) {
    return Matches(in, subject, parts[0]);
  }
  if (pattern.is("dotted_name") && parts.size() > 1) {
    return in.Equality(subject, Resolve(in, pattern), pattern);
  }
  if (pattern.is("dotted_name")) {
    in.Assign(parts[0], subject);  // a capture takes everything
    return {true};
  }
  if (pattern.is("as_pattern") && parts.size() == 2) {
    in.Assign(parts[1], subject);
    return Matches(in, subject, parts[0]);
  }
  if (pattern.is("union_pattern")) {
    Value any{false};
    for (const Node& part : parts) {
      const Value one = Matches(in, subject, part);
      if (Truth(one).value_or(false)) return one;
      if (one.unknown() == nullptr) continue;
      any = any.unknown() == nullptr ? one : in.MakeUnknown("several cases", pattern);
    }
    return any;
  }
  for (const char* constant :
       {"string", "concatenated_string", "integer", "float", "true", "false", "none"}) {
    if (pattern.is(constant)) {
      return in.Equality(subject, in.Eval(pattern), pattern);
    }
  }
  return in.MakeUnknown("the pattern is not followed", pattern);
}

Value CaseHolds(Interpreter& in, const Value& subject, Node clause) {
  std::vector<Node> patterns;
  for (const Node& child : clause.children()) {
    if (child.is("case_pattern")) patterns.push_back(child);
  }
  if (patterns.size() != 1) {
    return in.MakeUnknown("the pattern is not followed", clause);
  }
  const Value taken = Matches(in, subject, patterns[0]);
  const Node guard = clause.field("guard");
  if (!guard || !in.Holds(taken).value_or(true)) return taken;
  const Value guarded = in.Eval(guard.children().front());
  if (in.Holds(taken).has_value() || Truth(guarded) == false) return guarded;
  return in.MakeUnknown("the case has a condition", guard);
}

}  // namespace

Flow Interpreter::ExecMatch(Node node) {
  const Value subject = Eval(node.field("subject"));
  std::vector<Branch> branches;
  for (const Node& clause : node.field("body").children()) {
    if (!clause.is("case_clause")) continue;
    const Value value = CaseHolds(*this, subject, clause);
    const std::optional<bool> truth = Holds(value);
    if (truth == false) continue;
    const std::vector<Node> parts = clause.children();
    branches.push_back(
        {truth.has_value() ? Node() : parts.front(), clause.field("consequence"), value});
    if (truth.has_value()) break;
  }
  if (branches.empty()) return Flow::kNext;
  if (!branches[0].condition) return ExecBlock(branches[0].block);
  return ExecOpenBranches(node, std::move(branches));
}

}  // namespace tilewise::python
