// Loops, try and with. A loop over what cannot be folded is walked once; plain
// values set there become unknown, and a note is made when it builds datasets,
// layers or models.

#include <fmt/format.h>

#include "frontend/python/interpreter.h"

namespace tilewise::python {
namespace {

// A loop that builds nothing is left after so many rounds.
constexpr int64_t kQuietRounds = 1000;

}  // namespace

// Whether a loop has run long enough without building anything.
bool Interpreter::LoopEnds(int64_t rounds, size_t built_before, Node loop) {
  if (rounds < kQuietRounds || built() != built_before) return false;
  ForgetScalars(loop, fmt::format("changes in the loop at line {}", loop.location().line));
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
                                      node.location().line, node.field("right").excerpt()),
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
  ForgetScalars(loop, fmt::format("changes in the loop at line {}", loop.location().line));
  if (loop.is("for_statement")) Assign(loop.field("left"), item);
  const Flow flow = ExecBlock(loop.field("body"));
  ForgetScalars(loop, fmt::format("changes in the loop at line {}", loop.location().line));
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
