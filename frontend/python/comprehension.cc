// Comprehensions of lists, sets and dictionaries: known when each round is.

#include <fmt/format.h>

#include "frontend/python/interpreter.h"

namespace tilewise::python {

bool Interpreter::RunComprehension(Node node, const std::function<void()>& body) {
  std::vector<Node> clauses;
  for (const Node& child : node.children()) {
    if (child.is("for_in_clause") || child.is("if_clause")) {
      clauses.push_back(child);
    }
  }
  frames.push_back({NewEnvironment(frames.back().names), frames.back().function, {}});
  bool known = true;
  Comprehend(clauses, 0, body, known);
  frames.pop_back();
  return known;
}

Value Interpreter::EvalComprehension(Node node) {
  std::vector<Value> items;
  const auto add = [&] { items.push_back(Eval(node.field("body"))); };
  if (RunComprehension(node, add)) return MakeList(std::move(items));
  return MakeUnknown(fmt::format("`{}` is not known", node.excerpt()), node);
}

Value Interpreter::EvalDictComprehension(Node node) {
  Dict* dict = arena.New(Dict{});
  const Node pair = node.field("body");
  const auto add = [&] {
    const Value key = Eval(pair.field("key"));
    dict->items.emplace_back(key, Eval(pair.field("value")));
  };
  if (RunComprehension(node, add)) return {dict};
  return MakeUnknown(fmt::format("`{}` is not known", node.excerpt()), node);
}

void Interpreter::Comprehend(const std::vector<Node>& clauses, size_t at,
                             const std::function<void()>& body, bool& known) {
  if (at == clauses.size()) {
    body();
    return;
  }
  const Node clause = clauses[at];
  if (clause.is("if_clause")) {
    const std::optional<bool> truth = Truth(Eval(clause.children().front()));
    if (!truth.has_value()) known = false;
    if (truth.value_or(false)) Comprehend(clauses, at + 1, body, known);
    return;
  }
  const std::optional<std::vector<Value>> items = Iterate(Eval(clause.field("right")), clause);
  if (!items.has_value()) {
    known = false;
    return;
  }
  for (const Value& item : *items) {
    if (!known || !Charge(20)) return;
    Assign(clause.field("left"), item);
    Comprehend(clauses, at + 1, body, known);
  }
}

}  // namespace tilewise::python
