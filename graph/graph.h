// What a model computes: ops in definition order, immutable once built.

#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <boost/container/deque.hpp>

#include "base/status.h"
#include "graph/op.h"

namespace tilewise {

// A value that leaves the step. kTile: one of the equal parts of a result that
// is never whole in training, where each part's loss follows the last one's and
// the part is computed again for its gradients. kState: the new value of a
// variable.
struct Output {
  enum class Role : uint8_t { kResult, kTile, kLoss, kState };
  OpId value = kNoOp;
  Role role = Role::kResult;
  OpId variable = kNoOp;  // kState only
  bool is_result() const { return role == Role::kResult || role == Role::kTile; }
  bool operator==(const Output&) const = default;
};

// Ops in blocks: one that is in the list stays where it is while others are
// added, and no op is moved or held twice when the list grows.
inline constexpr size_t kOpsOfBlock = 64;
using OpList = boost::container::deque<
    Op, void, boost::container::deque_options<boost::container::block_size<kOpsOfBlock>>::type>;

// A graph is made by GraphBuilder::Build. ops()[i].id == i and operands precede
// users.
class Graph {
 public:
  const std::string& name() const { return name_; }
  const OpList& ops() const { return ops_; }
  const Op& op(OpId id) const { return ops_[id]; }
  int32_t size() const { return static_cast<int32_t>(ops_.size()); }
  const Op& operand(const Op& op, int i) const { return this->op(op.operands[i]); }
  const std::vector<Output>& outputs() const { return outputs_; }
  // Ids of the ops that use `id`, ascending, each once.
  std::span<const OpId> users(OpId id) const;
  bool is_static() const;  // no dim depends on the batch

  // The same graph with every per-batch dim multiplied out. `batch` >= 1 is
  // per core. Ids, names and locations are kept. CheckBindable must hold.
  Graph Bind(int64_t batch) const;

  // For a graph that was made from one whose op i stands for op origins[i] of
  // another: from here on its ops were made for those.
  void MapOrigins(const std::vector<OpId>& origins);

  // The ops, for whoever makes another graph of them; this one has none then.
  OpList TakeOps() && { return std::move(ops_); }

  // Elements of all trainable variables / of all variables (static anyway).
  int64_t trainable_parameters() const;

 private:
  friend class GraphBuilder;
  void IndexUsers();

  std::string name_;
  OpList ops_;
  std::vector<Output> outputs_;
  std::vector<OpId> users_;           // concatenated
  std::vector<int32_t> users_begin_;  // size() + 1 offsets into users_
};

// Whether Bind(batch) is possible: batch >= 1 and no tensor gets more than
// kMaxElements elements. The message names the first op that does, and its
// place.
absl::Status CheckBindable(const Graph& graph, int64_t batch);

}  // namespace tilewise
