// The values of a graph while it is rewritten for the cores of one mesh axis:
// whole on every core, a part of one dim on each, or terms of a sum that is
// still to be made. Any form is made from what there is when it is asked for,
// with the collective or slice that this takes.

#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "graph/graph_builder.h"
#include "sim/lowering/partition/split_dims.h"

namespace tilewise {

inline constexpr int64_t kPending = -2;  // in place of a dim: terms of a sum

class SplitValues {
 public:
  SplitValues(const Graph& from, std::string axis, int64_t parts);

  const Graph& from() const { return from_; }
  int64_t parts() const { return parts_; }
  const std::string& axis() const { return axis_; }
  GraphBuilder& builder() { return builder_; }

  // The op that is being rewritten: what its operands lack is made for it.
  void Enter(const Op& op) { current_ = &op; }

  // How a value lies on the cores: kWhole, kPending or the dim of its parts.
  int64_t SplitOf(OpId old) const;
  // Returns how the sum of terms lies on the cores, kPending before it is made.
  int64_t SplitOfSum(OpId old) const;
  // Returns whether it is not decided yet: see Open.
  bool is_open(OpId old) const { return at(old).is_open; }

  // Whether nothing has to be done for the value to be in this form.
  bool Has(OpId old, int64_t split) const;
  // The value in one of its forms, in the new graph.
  OpId Whole(OpId old);
  OpId Part(OpId old, int64_t dim);
  OpId Pending(OpId old) { return at(old).pending; }
  OpId In(OpId old, int64_t split);
  // The new id of a value that has just one form, kNoOp before it has any.
  OpId Made(OpId old) const;

  void SetWhole(OpId old, OpId made);
  void SetPart(OpId old, int64_t dim, OpId made);
  void SetPending(OpId old, OpId made);
  void Set(OpId old, int64_t split, OpId made);

  // Leaves `op`, a leaf or a cheap function of open values, until it is known
  // in which form it is wanted. The first form that is asked for decides how a
  // variable is stored; what depends on constants alone is computed anew in
  // each form, and stays open.
  void Open(const Op& op);
  // An open variable, or a function of one: its form may be chosen.
  bool IsFreeWeight(OpId old) const;
  // Whether the stored form of a free weight can be such that no core moves
  // anything to have its part of `dim`.
  bool CanStorePart(OpId old, int64_t dim) const;
  // Values made of variables alone are gathered again for the backward pass
  // instead of being kept from the forward pass.
  void MarkWeight(OpId old) { at(old).is_weight = true; }
  bool is_weight(OpId old) const { return at(old).is_weight; }

  // Makes the update see `old` from now on through a value of its own, in
  // `split`: a gradient after the collective between the cores.
  void SetForUpdate(OpId old, int64_t split, OpId made);

  // A copy of `op` that makes its part of `split`, or with kWhole or kPending
  // has the shape of the whole.
  OpId CloneLocal(const Op& op, std::vector<OpId> operands, int64_t split);
  // Names, place and origin of `old` for ops that the current op needs.
  void EnterContextOf(const Op& old, Phase phase);
  // This core's place on the axis, s32[].
  OpId PartitionId();
  // This core's part of a whole value of the new graph.
  OpId SliceOwn(OpId made, int64_t dim);

  absl::StatusOr<Graph> Finish();

 private:
  struct Value {
    int64_t split = kWhole;  // of the first form
    OpId pending = kNoOp;
    std::array<OpId, 2> whole = {kNoOp, kNoOp};  // forward, backward
    std::vector<std::pair<int64_t, OpId>> parts;
    bool is_open = false;
    bool is_constant = false;
    bool is_weight = false;
    int32_t for_update = -1;  // in updates_
  };
  const Value& at(OpId old) const;
  Value& at(OpId old) { return const_cast<Value&>(std::as_const(*this).at(old)); }
  size_t Pass() const { return current_->phase == Phase::kBackward ? 1 : 0; }
  bool IsConstant(const Op& op) const;
  void Close(OpId old, int64_t split);
  OpId MakeWhole(OpId old);
  // Whether a part along `dim` is made of what the whole is made of: that dim
  // is a broadcast's own.
  bool IsRepeatedAlong(const Op& op, int64_t dim) const;
  OpId MakePart(OpId old, int64_t dim);
  OpId OpenWhole(const Op& op);
  OpId OpenPart(const Op& op, int64_t dim);

  const Graph& from_;
  std::string axis_;
  int64_t parts_;
  GraphBuilder builder_;
  std::vector<Value> values_;   // by old id
  std::vector<Value> updates_;  // gradients as the update sees them
  const Op* current_ = nullptr;
};

}  // namespace tilewise
