// Conditionals of TensorFlow 1: a Merge takes one of the branches that a Switch
// before it opens. Which one is told by the predicate when that is known, else
// by the work in the branches.

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "absl/container/flat_hash_map.h"
#include "frontend/tensorflow/evaluator.h"

namespace tilewise::tf {
namespace {

// Steps of the walks up the branches: of one Merge, and of all.
constexpr int64_t kMaxSteps = 20'000;
constexpr int64_t kMaxAllSteps = 30'000'000;

}  // namespace

// What stands between a Merge and its Switch.
struct Evaluator::Choice {
  int32_t predicate = -1;  // the node; -1: no Switch was found
  Edge predicate_edge;
  std::vector<int32_t> side;  // by input: the Switch's output; -1: unknown
  std::vector<int64_t> work;  // by input
};

Evaluator::Choice Evaluator::Analyze(const Instance& in, int32_t merge) {
  const GraphIndex& index = in.index();
  Choice choice;
  for (const Edge& input : index.inputs(merge)) {
    int32_t side = -1;
    int64_t work = 0;
    // Nodes to look at with the number of Merges that are open below them: the
    // Switch of an inner conditional is not the one wanted.
    std::vector<std::pair<Edge, int>> stack = {{input, 0}};
    absl::flat_hash_map<int32_t, bool> seen;
    int64_t steps = 0;
    while (!stack.empty() && steps < kMaxSteps && merge_steps_ < kMaxAllSteps) {
      const auto [edge, depth] = stack.back();
      stack.pop_back();
      if (edge.node < 0 || index.IsArgument(edge.node)) continue;
      if (!seen.try_emplace(edge.node, true).second) continue;
      ++steps;
      ++merge_steps_;
      const NodeDef& node = index.node(edge.node);
      const std::span<const Edge> inputs = index.inputs(edge.node);
      if (IsSwitch(node.op) && inputs.size() == 2) {
        if (depth == 0) {
          if (side < 0) side = edge.output;
          if (choice.predicate < 0) {
            choice.predicate = inputs[1].node;
            choice.predicate_edge = inputs[1];
          }
          continue;
        }
        stack.emplace_back(inputs[0], depth - 1);
        continue;
      }
      work += work_.OfNode(node);
      const int inner = IsMerge(node.op) ? depth + 1 : depth;
      for (const Edge& next : inputs) stack.emplace_back(next, inner);
      // A constant in a branch hangs on it by a control input alone.
      if (!inputs.empty()) continue;
      for (const int32_t control : index.ControlInputs(edge.node)) {
        stack.emplace_back(Edge{control, 0}, inner);
      }
    }
    choice.side.push_back(side);
    choice.work.push_back(work);
  }
  // Control inputs do not say which output of the Switch they come from; the
  // branch that is left over has the other side.
  if (choice.side.size() == 2) {
    if (choice.side[0] < 0 && choice.side[1] >= 0) {
      choice.side[0] = 1 - choice.side[1];
    } else if (choice.side[1] < 0 && choice.side[0] >= 0) {
      choice.side[1] = 1 - choice.side[0];
    }
  }
  return choice;
}

absl::Status Evaluator::MergeNeeds(Instance& in, int32_t node, std::vector<int32_t>& needs) {
  const std::span<const Edge> inputs = in.index().inputs(node);
  if (inputs.empty()) return absl::OkStatus();
  const auto chosen = in.merge_choice.find(node);
  if (chosen != in.merge_choice.end()) {
    const Edge edge = inputs[chosen->second];
    if (edge.node >= 0) needs.push_back(edge.node);
    return absl::OkStatus();
  }
  if (FramesOf(in.index()).IsLoopMerge(node)) {
    // Reached other than through its loop: what enters stands for it.
    for (size_t i = 0; i < inputs.size(); ++i) {
      if (inputs[i].node < 0 || !IsEnter(in.index().node(inputs[i].node).op)) {
        continue;
      }
      in.merge_choice[node] = static_cast<int32_t>(i);
      needs.push_back(inputs[i].node);
      return absl::OkStatus();
    }
  }
  const Choice choice = Analyze(in, node);
  std::optional<int64_t> side;
  if (choice.predicate >= 0) {
    if (!in.done(choice.predicate) && !in.waiting(node)) {
      needs.push_back(choice.predicate);
      return absl::OkStatus();
    }
    const Value predicate = in.Get(choice.predicate_edge);
    if (predicate.known() != nullptr) side = KnownInteger(*predicate.known());
  }
  size_t taken = inputs.size();
  for (size_t i = 0; i < inputs.size() && side; ++i) {
    if (choice.side[i] == *side) taken = i;
  }
  if (taken == inputs.size()) {
    const auto most = std::max_element(choice.work.begin(), choice.work.end());
    const auto least = std::min_element(choice.work.begin(), choice.work.end());
    taken = static_cast<size_t>(most - choice.work.begin());
    if (*most > 2 * *least + 2) {
      state_.item = in.index().node(node).name;
      state_.Note("RD002", "cannot-resolve",
                  fmt::format("of the branches that meet in {} that with the "
                              "most work is taken",
                              in.index().node(node).name));
    }
  }
  in.merge_choice[node] = static_cast<int32_t>(taken);
  if (inputs[taken].node >= 0) needs.push_back(inputs[taken].node);
  return absl::OkStatus();
}

}  // namespace tilewise::tf
