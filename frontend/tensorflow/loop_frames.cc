// Finds the frames of a graph and what belongs to each.

#include "frontend/tensorflow/loop_frames.h"

#include "frontend/tensorflow/attr_value.h"

namespace tilewise::tf {
namespace {

constexpr int kMaxChain = 1000;
constexpr int kMaxNesting = 64;

}  // namespace

bool IsEnter(std::string_view op) { return op == "Enter" || op == "RefEnter"; }
bool IsExit(std::string_view op) { return op == "Exit" || op == "RefExit"; }
bool IsMerge(std::string_view op) { return op == "Merge" || op == "RefMerge" || op == "_XlaMerge"; }
bool IsSwitch(std::string_view op) { return op == "Switch" || op == "RefSwitch"; }
bool IsIdentity(std::string_view op) {
  return op == "Identity" || op == "StopGradient" || op == "RefIdentity" || op == "Snapshot" ||
         op == "PreventGradient" || op == "EnsureShape";
}

LoopFrames::LoopFrames(const GraphIndex& index) : index_(index) {
  for (int32_t i = 0; i < index.size(); ++i) {
    if (!IsEnter(index.node(i).op)) continue;
    const auto name = AttrString(index.node(i).attrs, "frame_name");
    frame_of_[i] = name.value_or("");
    frames_[frame_of_[i]].enters.push_back(i);
  }
  if (frames_.empty()) return;
  for (int32_t i = 0; i < index.size(); ++i) {
    const std::span<const Edge> inputs = index.inputs(i);
    if (!IsMerge(index.node(i).op) || inputs.size() != 2) continue;
    LoopFrame::Variable variable;
    variable.merge = i;
    for (const Edge& input : inputs) {
      if (input.node < 0 || index.IsArgument(input.node)) continue;
      const std::string_view op = index.node(input.node).op;
      if (IsEnter(op)) variable.enter = input.node;
      if (op == "NextIteration" || op == "RefNextIteration") {
        variable.next = input.node;
      }
    }
    if (variable.enter < 0 || variable.next < 0) continue;
    frame_of_[i] = frame_of_[variable.enter];
    frames_[frame_of_[i]].variables.push_back(variable);
  }
  std::map<int32_t, LoopFrame::Variable*> by_merge;
  for (auto& [name, frame] : frames_) {
    for (LoopFrame::Variable& variable : frame.variables) {
      by_merge[variable.merge] = &variable;
    }
  }
  for (int32_t i = 0; i < index.size(); ++i) {
    const std::span<const Edge> inputs = index.inputs(i);
    if (!IsSwitch(index.node(i).op) || inputs.size() != 2) continue;
    const auto found = by_merge.find(inputs[0].node);
    if (found == by_merge.end()) continue;
    found->second->switches.push_back(i);
    frame_of_[i] = frame_of_[found->first];
    frames_[frame_of_[i]].condition = inputs[1].node;
  }
  for (int32_t i = 0; i < index.size(); ++i) {
    const std::span<const Edge> inputs = index.inputs(i);
    const std::string_view op = index.node(i).op;
    if (IsExit(op) && !inputs.empty()) {
      const auto found = frame_of_.find(inputs[0].node);
      if (found == frame_of_.end()) continue;
      frame_of_[i] = found->second;
      frames_[found->second].exits.push_back(i);
    } else if ((op == "StackPushV2" || op == "StackPush") && !inputs.empty()) {
      pushes_[StackOf(inputs[0].node)].push_back(i);
      const auto found = frame_of_.find(inputs[0].node);
      if (found != frame_of_.end()) {
        frames_[found->second].pushes.push_back(i);
      }
    }
  }
}

const LoopFrame* LoopFrames::Of(int32_t node) const {
  const auto found = frame_of_.find(node);
  if (found == frame_of_.end()) return nullptr;
  return &frames_.at(found->second);
}

std::vector<int32_t> LoopFrames::PushesFor(int32_t pop) const {
  const std::span<const Edge> inputs = index_.inputs(pop);
  if (inputs.empty()) return {};
  const auto found = pushes_.find(StackOf(inputs[0].node));
  return found == pushes_.end() ? std::vector<int32_t>{} : found->second;
}

std::vector<bool> LoopFrames::Inside() const {
  std::vector<bool> inside(index_.size());
  if (frames_.empty()) return inside;
  std::vector<std::vector<int32_t>> users(inside.size());
  std::vector<int32_t> open;
  for (int32_t i = 0; i < index_.size(); ++i) {
    for (const Edge& edge : index_.inputs(i)) {
      if (edge.node < 0 || index_.IsArgument(edge.node)) continue;
      users[edge.node].push_back(i);
    }
    if (IsEnter(index_.node(i).op)) open.push_back(i);
  }
  const auto enters_from_inside = [&](const LoopFrame& frame) {
    for (const int32_t enter : frame.enters) {
      for (const Edge& edge : index_.inputs(enter)) {
        if (edge.node >= 0 && !index_.IsArgument(edge.node) && inside[edge.node]) {
          return true;
        }
      }
    }
    return false;
  };
  // What leaves a loop is inside of another when what enters it is.
  for (int depth = 0; depth < kMaxNesting && !open.empty(); ++depth) {
    while (!open.empty()) {
      const size_t node = open.back();
      open.pop_back();
      if (inside[node]) continue;
      inside[node] = true;
      for (const int32_t user : users[node]) {
        if (!IsExit(index_.node(user).op)) open.push_back(user);
      }
    }
    for (const auto& [name, frame] : frames_) {
      if (!enters_from_inside(frame)) continue;
      for (const int32_t left : frame.exits) {
        if (!inside[left]) open.push_back(left);
      }
    }
  }
  return inside;
}

bool LoopFrames::IsLoopMerge(int32_t merge) const { return frame_of_.contains(merge); }

int32_t LoopFrames::StackOf(int32_t node) const {
  for (int i = 0; i < kMaxChain; ++i) {
    if (node < 0 || index_.IsArgument(node)) return node;
    const std::string_view op = index_.node(node).op;
    const std::span<const Edge> inputs = index_.inputs(node);
    if ((!IsEnter(op) && !IsIdentity(op)) || inputs.empty()) return node;
    node = inputs[0].node;
  }
  return node;
}

}  // namespace tilewise::tf
