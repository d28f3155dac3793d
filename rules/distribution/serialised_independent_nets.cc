// Flags networks in one program that have nothing to do with each other.

#include <algorithm>
#include <map>
#include <numeric>
#include <vector>

#include "rules/rule.h"

namespace tilewise::DI008 {
namespace {

constexpr RuleInfo kInfo = {
    .id = "DI008",
    .name = "serialised-independent-nets",
    .severity = Severity::kInfo,
    .set = RuleSet::kPreview,
    .needs = {.model = true},
    .summary = "independent networks run one after the other on one device",
    .no_saving = "networks that are joined are another program",
    .doc = R"(
What: two or more networks in one program that share inputs at most, each at
least min-share of the step and none more than twice another.
Why: a device runs one kernel at a time. Networks side by side in a graph run
one after the other, each with the small batches and the fixed costs of its own.
Remedy: stack their weights and run them as one batched network (vmap), or place
them on different cores.
Ignore: ensembles that are meant to be one program.
Numbers: simulated time of the kernels of each network.
Sources: the Timeline article that the catalogue names S4.)",
    .thresholds = {{"min-share", 0.15, "share of the step that each network has to take"}},
};

// Sets of ops that are joined by what they read and write, but for inputs and
// constants.
class Networks {
 public:
  explicit Networks(const Graph& graph) : parent_(graph.size()) {
    std::iota(parent_.begin(), parent_.end(), OpId(0));
    for (const Op& op : graph.ops()) {
      for (const OpId operand : op.operands) {
        const OpKind kind = graph.op(operand).kind;
        const bool joins = kind == OpKind::kVariable || ClassOf(kind) != OpClass::kLeaf;
        if (joins) Join(op.id, operand);
      }
    }
  }

  OpId Of(OpId op) {
    while (parent_[op] != op) {
      OpId& parent = parent_[op];
      parent = parent_[parent];
      op = parent;
    }
    return op;
  }

 private:
  void Join(OpId a, OpId b) {
    a = Of(a);
    b = Of(b);
    parent_[std::max(a, b)] = std::min(a, b);
  }

  std::vector<OpId> parent_;
};

struct Network {
  Seconds time;
  OpId first_matmul = kNoOp;
};

void Check(const Facts& facts, Sink& sink) {
  const Graph& graph = *facts.source;
  Networks networks(graph);
  std::map<OpId, Network> by_root;
  for (const Op& op : graph.ops()) {
    if (ClassOf(op.kind) == OpClass::kLeaf) continue;
    Network& network = by_root[networks.Of(op.id)];
    network.time += facts.TimeOf(op.id);
    if (network.first_matmul == kNoOp && ClassOf(op.kind) == OpClass::kMxu) {
      network.first_matmul = op.id;
    }
  }
  std::vector<Network> large;
  for (const auto& [root, network] : by_root) {
    if (network.first_matmul != kNoOp &&
        network.time >= facts.StepTime() * sink.threshold("min-share")) {
      large.push_back(network);
    }
  }
  if (large.size() < 2) return;
  const auto [least, most] = std::ranges::minmax(large, {}, &Network::time);
  if (most.time > least.time * 2) return;
  Seconds rest;
  for (const Network& network : large) rest += network.time;
  rest -= most.time;
  const Op& first = graph.op(large[0].first_matmul);
  const Op& second = graph.op(large[1].first_matmul);
  Finding& found = sink.ReportOp(
      second.id,
      "{} networks that share no result run one after the other, from {} and from {} on: all but "
      "one take {} a step (simulated on {}), expected one batched network or several cores",
      large.size(), first.name, second.name, FormatSeconds(rest), facts.target.chip.name);
  found.cost = DeviceCost(facts, rest);
  found.fix.text =
      "stack their weights and run them as one batched network (vmap), or place them on different "
      "cores";
}

}  // namespace

TW_RULE(DI008)

}  // namespace tilewise::DI008
