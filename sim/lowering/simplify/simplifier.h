// The ops of a graph while it is simplified. Ops are emitted in order; each is
// first offered to the rules of its kind, then compared with those that exist,
// and added only when neither finds an equal value. As operands were emitted
// before, a rule sees them simplified.

#pragma once

#include <optional>
#include <unordered_map>
#include <vector>

#include "graph/graph.h"

namespace tilewise {

class Simplifier {
 public:
  explicit Simplifier(Graph graph)
      : name_(graph.name()), outputs_(graph.outputs()), ops_(std::move(graph).TakeOps()) {}

  // Emits every live op again. True when a rule applied or two ops became one.
  bool Sweep();
  absl::StatusOr<Graph> Build();

  // Rules call these during a sweep.

  // The value of `op`; its id is ignored.
  OpId Emit(Op op);
  // An op in the place of `context`: its phase, origin, location and name.
  OpId Emit(const Op& context, OpKind kind, std::vector<OpId> operands, Shape shape,
            Attributes attrs = {});
  // The same value if it was emitted already, or kNoOp; no rule is tried.
  OpId Find(const Op& context, OpKind kind, std::vector<OpId> operands, Shape shape,
            Attributes attrs) const;
  OpId Constant(const Op& context, double value, Shape shape);
  const Op& op(OpId id) const { return ops_[id]; }
  const Shape& shape(OpId id) const { return op(id).shape; }
  // The value of all elements when they are one constant.
  std::optional<double> Splat(OpId id) const;

  // Returns the only user of the op being swept, as it was before the sweep.
  // Null when it has none or several, or leaves the graph.
  const Op* OnlyUserOfSwept() const { return OnlyUser(swept_); }
  // The same for that op and any after it, as the sweep has not reached their
  // users: the ops that it has passed were moved from, but for kind and id.
  const Op* OnlyUser(OpId old) const;
  // Whether `old` was a constant or a broadcast before the sweep.
  bool WasConstant(OpId old) const;
  bool WasBroadcast(OpId old) const;
  OpId swept() const { return swept_; }

 private:
  struct Use {
    int32_t count = 0;
    OpId user = kNoOp;
  };

  void FindLive();
  std::optional<OpId> FindEqual(const Op& op, size_t hash) const;
  void MapOutputs(const std::vector<OpId>& map);

  std::string name_;
  std::vector<Output> outputs_;
  OpList ops_;              // emitted so far
  OpList before_;           // the ops this sweep reads
  std::vector<bool> live_;  // by id in before_
  std::vector<Use> uses_;   // by id in before_
  OpId swept_ = kNoOp;
  bool changed_ = false;
  std::unordered_multimap<size_t, OpId> by_hash_;  // looked up, never iterated
};

// An equal value that is cheaper than `op`, or kNoOp. Each rule, those of the
// kinds (LoweringTraits::simplify) included, either returns an existing value
// or emits ops that no rule turns back.
OpId FoldConstants(Simplifier& s, const Op& op);
OpId MoveBelow(Simplifier& s, const Op& op);  // elementwise above movement

}  // namespace tilewise
