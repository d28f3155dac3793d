// Branches and loops. A condition or iterable that cannot be folded is walked
// once along its first useful branch; plain values set there become unknown,
// and a note is made when the branch builds datasets, layers or models.

#include <algorithm>

#include <fmt/format.h>

#include "frontend/python/interpreter.h"

namespace tilewise::python {
namespace {

// A loop that builds nothing is left after so many rounds.
constexpr int64_t kQuietRounds = 1000;

void CollectTargets(Node target, std::set<std::string>& names) {
  if (target.is("identifier")) {
    names.emplace(target.text());
    return;
  }
  if (target.is("attribute") || target.is("subscript")) return;
  for (const Node& child : target.children()) CollectTargets(child, names);
}

// Names that assignments in `node` set; nested functions are left out.
void CollectAssigned(Node node, std::set<std::string>& names) {
  if (node.is("function_definition") || node.is("lambda")) return;
  if (node.is("assignment") || node.is("augmented_assignment") ||
      node.is("for_statement")) {
    CollectTargets(node.field("left"), names);
  }
  for (const Node& child : node.children()) CollectAssigned(child, names);
}

bool IsScalar(const Value& value) {
  if (const std::vector<Value>* items = Items(value)) {
    for (const Value& item : *items) {
      if (!IsScalar(item)) return false;
    }
    return true;
  }
  return value.none() || AsNumber(value).has_value() ||
         value.as<std::string>() != nullptr || value.as<Range>() != nullptr ||
         value.ref<Array>() != nullptr;
}

// A branch that only leaves: "if x is None: return".
bool IsGuard(Node block) {
  const std::vector<Node> statements = block.children();
  if (statements.empty()) return false;
  const Node last = statements.back();
  return last.is("return_statement") || last.is("raise_statement") ||
         last.is("continue_statement") || last.is("break_statement");
}

struct Branch {
  Node condition;  // null: else
  Node block;
};

std::vector<Branch> Branches(Node node) {
  std::vector<Branch> result;
  result.push_back({node.field("condition"), node.field("consequence")});
  for (const Node& child : node.children()) {
    if (child.is("elif_clause")) {
      result.push_back({child.field("condition"), child.field("consequence")});
    } else if (child.is("else_clause")) {
      result.push_back({{}, child.field("body")});
    }
  }
  return result;
}

}  // namespace

void Interpreter::ForgetScalars(Node body, std::string_view why) {
  std::set<std::string> names;
  CollectAssigned(body, names);
  for (const std::string& name : names) {
    const Value* value = frames.back().names->Find(name);
    if (value == nullptr || IsScalar(*value)) {
      frames.back().names->Set(
          name, MakeUnknown(fmt::format("`{}` {}", name, why), body));
    }
  }
}

Flow Interpreter::ExecIf(Node node) {
  for (const Branch& branch : Branches(node)) {
    const std::optional<bool> truth =
        branch.condition ? Truth(Eval(branch.condition)) : true;
    if (!truth.has_value()) return ExecUnknownIf(node);
    if (*truth) return ExecBlock(branch.block);
  }
  return Flow::kNext;
}

Flow Interpreter::ExecUnknownIf(Node node) {
  std::vector<Branch> branches = Branches(node);
  // What is given from outside is seldom None: that branch comes last.
  std::stable_partition(branches.begin(), branches.end(), [](const Branch& b) {
    return !b.condition || !b.condition.text().ends_with(" is None");
  });
  const size_t before = built();
  Flow flow = Flow::kNext;
  for (size_t i = 0; i < branches.size() && built() == before; ++i) {
    const bool only_way = i + 1 == branches.size() && i > 0;
    if (IsGuard(branches[i].block) && !only_way) continue;
    frames.back().returned.reset();
    flow = ExecBlock(branches[i].block);
    if (flow == Flow::kStop) return flow;
    if (flow == Flow::kReturn) break;
    flow = Flow::kNext;
  }
  ForgetScalars(node, fmt::format("depends on the condition at line {}",
                                  node.location().line));
  if (flow == Flow::kReturn && frames.back().returned.has_value() &&
      IsScalar(*frames.back().returned)) {
    frames.back().returned =
        MakeUnknown(fmt::format("depends on the condition at line {}",
                                node.location().line),
                    node);
  }
  if (built() != before) {
    Note("RD002", node.location(),
         fmt::format("cannot tell whether `{}` holds; the branch that builds "
                     "the model or dataset first is taken as the one that runs",
                     node.field("condition").text().substr(0, 80)));
  }
  return flow;
}

// Whether a loop has run long enough without building anything.
bool Interpreter::LoopEnds(int64_t rounds, size_t built_before, Node loop) {
  if (rounds < kQuietRounds || built() != built_before) return false;
  ForgetScalars(loop, fmt::format("changes in the loop at line {}",
                                  loop.location().line));
  return true;
}

Flow Interpreter::ExecFor(Node node) {
  iterated.clear();
  const Value over = Eval(node.field("right"));
  const std::optional<std::vector<Value>> items = Iterate(over, node);
  const std::string_view body = node.field("body").text();
  const bool trains = body.find("train") != std::string_view::npos ||
                      body.find("strategy.run") != std::string_view::npos ||
                      body.find("GradientTape") != std::string_view::npos;
  for (Dataset* dataset : iterated) {
    if (trains && dataset->pipeline.role == PipelineRole::kUnknown) {
      dataset->pipeline.role = PipelineRole::kTraining;
    }
  }
  if (!items.has_value()) {
    return ExecUnknownLoop(
        node, MakeUnknown(fmt::format("the loop at line {} is over `{}`, which "
                                      "is not known",
                                      node.location().line,
                                      node.field("right").text().substr(0, 60)),
                          node));
  }
  const size_t before = built();
  int64_t rounds = 0;
  for (const Value& item : *items) {
    if (LoopEnds(rounds++, before, node)) return Flow::kNext;
    Assign(node.field("left"), item);
    const Flow flow = ExecBlock(node.field("body"));
    if (flow == Flow::kBreak) return Flow::kNext;
    if (flow != Flow::kNext && flow != Flow::kContinue) return flow;
  }
  return ExecBlock(node.field("alternative").field("body"));
}

Flow Interpreter::ExecUnknownLoop(Node loop, const Value& item) {
  const size_t before = built();
  ForgetScalars(loop, fmt::format("changes in the loop at line {}",
                                  loop.location().line));
  if (loop.is("for_statement")) Assign(loop.field("left"), item);
  const Flow flow = ExecBlock(loop.field("body"));
  ForgetScalars(loop, fmt::format("changes in the loop at line {}",
                                  loop.location().line));
  if (built() != before) {
    Note("RD002", loop.location(),
         "cannot tell how often this loop runs; what it builds is counted "
         "once");
  }
  return flow == Flow::kReturn || flow == Flow::kStop ? flow : Flow::kNext;
}

Flow Interpreter::ExecWhile(Node node) {
  const size_t before = built();
  for (int64_t rounds = 0;; ++rounds) {
    const std::optional<bool> truth = Truth(Eval(node.field("condition")));
    if (!truth.has_value()) return ExecUnknownLoop(node, {});
    if (!*truth || LoopEnds(rounds, before, node)) return Flow::kNext;
    const Flow flow = ExecBlock(node.field("body"));
    if (flow == Flow::kBreak) return Flow::kNext;
    if (flow != Flow::kNext && flow != Flow::kContinue) return flow;
    if (!Charge(1)) return Flow::kStop;
  }
}

Flow Interpreter::ExecTry(Node node) {
  Flow flow = ExecBlock(node.field("body"));
  bool handled = false;
  for (const Node& clause : node.children()) {
    if (clause.is("except_clause") && flow == Flow::kRaise && !handled) {
      handled = true;
      flow = ExecBlock(clause.children().back());
    } else if (clause.is("else_clause") && flow == Flow::kNext && !handled) {
      flow = ExecBlock(clause.field("body"));
    } else if (clause.is("finally_clause") && !clause.children().empty()) {
      const Flow last = ExecBlock(clause.children().back());
      if (last != Flow::kNext) flow = last;
    }
  }
  return flow;
}

Flow Interpreter::ExecWith(Node node) {
  for (const Node& clause : node.children()) {
    if (!clause.is("with_clause")) continue;
    for (const Node& item : clause.children()) {
      const Node value = item.field("value");
      if (!value.is("as_pattern")) {
        Eval(value);
        continue;
      }
      const std::vector<Node> parts = value.children();
      const Value held = Eval(parts.front());
      for (const Node& target : value.field("alias").children()) {
        Assign(target, held);
      }
    }
  }
  return ExecBlock(node.field("body"));
}

}  // namespace tilewise::python
