// Rebuilds a graph op by op, with some ops replaced.

#pragma once

#include <vector>

#include "graph/graph_builder.h"

namespace tilewise {

// Ops of the old graph are visited in order; each is copied, or replaced by a
// value that was built in its place.
class Rewrite {
 public:
  explicit Rewrite(const Graph& from);

  GraphBuilder& builder() { return builder_; }
  // Returns where the value of an old op is in the new graph.
  OpId at(OpId old) const { return map_[old]; }
  std::vector<OpId> Operands(const Op& old) const;

  void Copy(const Op& old);
  // The same, and `old` gives what it has.
  void Move(Op&& old);
  void Replace(const Op& old, OpId value) { map_[old.id] = value; }
  // New ops get the place, phase and origin of `old`, and names below its name.
  void EnterContextOf(const Op& old);

  // Maps the outputs and builds.
  absl::StatusOr<Graph> Finish();

 private:
  std::vector<Output> outputs_;  // of the old graph
  GraphBuilder builder_;
  std::vector<OpId> map_;
};

}  // namespace tilewise
