// The ops of one node, made on a builder of their own first: a builder's errors
// stick, but a node that cannot be expressed must not spoil the whole graph.
//
//   Attempt attempt(builder, place);
//   OpId y = Sinh(attempt.builder(), attempt.StandIn(x));
//   TW_ASSIGN_OR_RETURN(ids, attempt.Commit(builder, {y}));  // or give up

#pragma once

#include <span>
#include <string>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "base/status.h"
#include "graph/graph_builder.h"

namespace tilewise {

// What every op of the node is given.
struct AttemptPlace {
  Location location;
  std::string scope;  // prefix of names
  LoopPlace loop = {};
  Phase phase = Phase::kForward;
};

class Attempt {
 public:
  // `target` must outlive the attempt; it may be added to at any time.
  Attempt(GraphBuilder& target, const AttemptPlace& place);

  GraphBuilder& builder() { return trial_; }
  // The op of builder() that stands for `id` of the target: a leaf of the same
  // kind if that is one, else a parameter of its shape. kNoOp for kNoOp.
  OpId StandIn(OpId id);
  // Adds the ops made so far to the target and gives the ids that `results`
  // have there (kNoOp stays kNoOp). Errors: the first that builder() recorded;
  // the target is as it was then.
  absl::StatusOr<std::vector<OpId>> Commit(std::span<const OpId> results);

 private:
  GraphBuilder& target_;
  GraphBuilder trial_;
  AttemptPlace place_;
  std::vector<OpId> in_target_;                // by id in trial_; kNoOp: not there yet
  absl::flat_hash_map<OpId, OpId> stand_ins_;  // never iterated
};

}  // namespace tilewise
