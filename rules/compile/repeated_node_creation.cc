// Flags values that a model computes many times over from the same operands.

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "advice/locations.h"
#include "graph/text.h"
#include "rules/cpp/api_calls.h"
#include "rules/cpp/written_layers.h"
#include "rules/rule.h"
#include "session/compile_time.h"
#include "workload/blocks.h"

namespace tilewise::CO006 {
namespace {

constexpr RuleInfo kInfo = {
    .id = "CO006",
    .name = "repeated-node-creation",
    .set = RuleSet::kPreview,
    .fix = Applicability::kShow,
    .needs = {.graph = true, .or_cpp = true},
    .summary = "the same op on the same operands is created again and again",
    .no_saving = "compilation is paid once per run and is no part of a step",
    .doc = R"(
What: more than max-copies ops of one kind with equal attributes on equal
operands, none of them random or stateful, whose copies (with what is computed
from them alike) make min-ops or more of the graph. In C++: ops of TensorFlow that a
loop makes anew in each round in which it runs a ClientSession.
Why: a Python loop around graph code creates its constants, masks and position
tables again in each turn. The compiler merges them, but only after the graph
was built, sent, imported and hashed with all of them; each also keeps later ops
from being seen as equal.
Remedy: create it once before the loop and use it in each turn.
Ignore: graphs that are built once and compile fast.
Numbers: the copies' share of compilation at the lower published rate.
Sources: studies of performance bugs in TensorFlow programs (DeepPerf).)",
    .thresholds = {{"max-copies", 32, "equal ops on equal operands that a graph may have"},
                   {"min-ops", 500, "ops of the copies together that are worth saying"}},
};

// Whether two of them have the same value, given equal operands.
bool IsRepeatable(const Op& op) {
  switch (ClassOf(op.kind)) {
    case OpClass::kLeaf:
      return op.kind == OpKind::kConstant || op.kind == OpKind::kIota;
    case OpClass::kRandom:
    case OpClass::kOpaque:
    case OpClass::kTransfer:
    case OpClass::kCollective:
      return false;
    default:
      return op.kind != OpKind::kBarrier;
  }
}

// What is no work of its own: scalars, and what fills a shape with one.
bool IsTrivial(const Graph& graph, const Op& op) {
  if (op.operands.empty() || op.shape.elements() <= 1) return true;
  return op.kind == OpKind::kBroadcast && graph.operand(op, 0).shape.elements() <= 1;
}

// Everything that tells the op's value but for its operands.
std::string FormOf(const Op& op) {
  return fmt::format("{} {} {} {}", OpName(op.kind), FormatShape(op.shape), op.loop.id,
                     AttributesText(op));
}

// Returns for each op the first op with the same value.
std::vector<OpId> FirstEqual(const Graph& graph) {
  std::vector<OpId> first;
  first.reserve(graph.size());
  std::map<std::string, OpId> seen;
  for (const Op& op : graph.ops()) {
    if (!IsRepeatable(op)) {
      first.push_back(op.id);
      continue;
    }
    std::string key = FormOf(op);
    for (const OpId operand : op.operands) {
      key += fmt::format(" {}", first[operand]);
    }
    first.push_back(seen.try_emplace(std::move(key), op.id).first->second);
  }
  return first;
}

struct Copies {
  OpId op = kNoOp;
  int64_t count = 0;
  int64_t ops = 0;  // with equal ops that are computed from them
};

void Report(const Facts& facts, const Copies& copies, Sink& sink) {
  const Graph& graph = *facts.source;
  const Op& op = graph.op(copies.op);
  Finding& found = sink.ReportOp(op.id,
                                 "{} {} is created {} times on the same operands, {} ops with what "
                                 "follows alike, expected it once before the loop",
                                 OpName(op.kind), FormatShape(op.shape), FormatCount(copies.count),
                                 FormatCount(copies.ops));
  found.cost.once_per_run = CompileTimeOf(copies.ops).least;
  found.fix.text = "create it once before the loop and use it in each turn";
}

bool RunsSession(const SourceFacts& source, int32_t loop) {
  return std::ranges::any_of(source.calls, [&](const SourceCall& call) {
    return call.name == "tensorflow.ClientSession.Run" && LoopThatRuns(source, call) == loop;
  });
}

// Once for each loop, at the first op.
void CheckCalls(const Facts& facts, Sink& sink) {
  const SourceFacts& source = facts.workload.facts;
  std::vector<int32_t> seen;
  for (const SourceCall& call : source.calls) {
    if (!call.name.starts_with("tensorflow.ops.") || call.arguments.empty()) continue;
    const int32_t loop = LoopThatRuns(source, call);
    if (loop < 0 || std::ranges::find(seen, loop) != seen.end()) continue;
    if (!RunsSession(source, loop)) continue;
    seen.push_back(loop);
    Finding& found = sink.Report(
        call.location,
        "{} is added to the graph in every round of the loop at {}, which also runs it, expected "
        "ops to be made once",
        LastName(call.name), LineText(source.contexts[loop].location, call.location));
    found.cost.unknown = "how many rounds the loop has is not in the source";
    found.fix.text = "make the ops before the loop, with placeholders for what changes";
  }
}

void Check(const Facts& facts, Sink& sink) {
  if (SpeaksWithoutModel(facts)) return CheckCalls(facts, sink);
  if (facts.workload.compilation) return;
  const Graph& graph = *facts.source;
  const auto most = static_cast<int64_t>(sink.threshold("max-copies"));
  if (graph.size() <= most) return;
  const std::vector<OpId> first = FirstEqual(graph);
  std::map<OpId, Copies> groups;
  for (const Op& op : graph.ops()) {
    if (IsTrivial(graph, op) || !IsRepeatable(op)) continue;
    Copies& copies = groups[first[op.id]];
    copies.op = first[op.id];
    ++copies.count;
  }
  // What is computed from copies alike belongs to the op that starts it.
  std::map<OpId, OpId> start;
  std::map<OpId, Copies> starts;
  for (const auto& [id, copies] : groups) {
    if (copies.count <= most) continue;
    OpId from = id;
    for (const OpId operand : graph.op(id).operands) {
      const auto at = start.find(first[operand]);
      if (at != start.end()) from = at->second;
    }
    start[id] = from;
    Copies& total = starts[from];
    if (total.op == kNoOp) total = {from, copies.count, 0};
    total.ops += copies.count - 1;
  }
  for (const auto& [id, copies] : starts) {
    if (static_cast<double>(copies.ops) < sink.threshold("min-ops")) continue;
    Report(facts, copies, sink);
  }
}

}  // namespace

TW_RULE(CO006)

}  // namespace tilewise::CO006
