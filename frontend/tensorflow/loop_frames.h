// The loops of TensorFlow 1 graphs: frames of Enter, Merge, Switch,
// NextIteration, Exit and LoopCond nodes.

#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string_view>
#include <vector>

#include "frontend/tensorflow/graph_index.h"

namespace tilewise::tf {

struct LoopFrame {
  struct Variable {
    int32_t enter = -1;
    int32_t merge = -1;
    int32_t next = -1;              // its NextIteration
    std::vector<int32_t> switches;  // that test it
  };
  std::vector<int32_t> enters;  // all: of variables and of invariants
  std::vector<Variable> variables;
  int32_t condition = -1;  // LoopCond
  std::vector<int32_t> exits;
  // Pushes to stacks in the body: what the loop of the gradients pops.
  std::vector<int32_t> pushes;
};

class LoopFrames {
 public:
  explicit LoopFrames(const GraphIndex& index);

  // The frame that an Exit leaves, or an Enter enters; null: none.
  const LoopFrame* Of(int32_t node) const;
  // The pushes to the stack that this StackPopV2 pops from.
  std::vector<int32_t> PushesFor(int32_t pop) const;
  // Returns for each node whether it is in the body of a loop, from where no
  // result can be taken but through an Exit.
  std::vector<bool> Inside() const;
  // Whether this Merge is one of a loop variable.
  bool IsLoopMerge(int32_t merge) const;
  const std::map<std::string_view, LoopFrame>& frames() const { return frames_; }

 private:
  // The node a handle comes from, through Enter and Identity.
  int32_t StackOf(int32_t node) const;

  const GraphIndex& index_;
  std::map<std::string_view, LoopFrame> frames_;
  std::map<int32_t, std::string_view> frame_of_;    // Exits, Enters and Merges
  std::map<int32_t, std::vector<int32_t>> pushes_;  // by stack
};

bool IsEnter(std::string_view op);
bool IsExit(std::string_view op);
bool IsMerge(std::string_view op);
bool IsSwitch(std::string_view op);
// Ops that hand on input 0 as it is.
bool IsIdentity(std::string_view op);

}  // namespace tilewise::tf
