// Marks the dims of a static graph that hold the batch, starting from seeds.

#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/status.h"
#include "graph/batch_links.h"
#include "graph/graph.h"
#include "graph/rebatch.h"

namespace tilewise {

// A marked dim's size is outer x batch x inner.
struct BatchMark {
  int64_t inner = 0;  // 0: not marked
  OpId via = kNoOp;
  OpId from = kNoOp;
  int32_t from_dim = 0;
};

// A dim of an operand, of size outer x inner, that is to be outer x batch x
// inner.
struct BatchStretch {
  int32_t operand = 0;
  int64_t dim = 0;
  int64_t inner = 1;
};

class BatchMarks {
 public:
  // `graph` is static and outlives the marks.
  explicit BatchMarks(const Graph& graph);

  // What is followed: the batch, which inputs have and variables have not; the
  // width of a layer, the other way round; or positions, which both may have and
  // attention hands from queries to its result.
  enum class Followed : uint8_t { kBatch, kWidth, kPositions };
  // Forgets all marks, for another batch size.
  void Reset(int64_t batch, Followed followed = Followed::kBatch);
  int64_t batch() const { return batch_; }

  // Marks dim `dim` of a parameter, which is a multiple of the batch, and all
  // that follows from it. Errors: the batch cannot be followed through an op;
  // the marks are those up to there.
  absl::Status Spread(const BatchSeed& seed);
  // Takes back what was marked since `count` were.
  void Shrink(size_t count);

  const BatchMark& at(OpId op, int64_t dim) const {
    return marks_[begin_[op] + static_cast<size_t>(dim)];
  }
  bool holds(OpId op, int64_t dim) const { return at(op, dim).inner != 0; }
  bool any(OpId op) const;
  bool touches(const Op& op) const;  // it or an operand has a mark
  // Returns the marks in the order in which they were made.
  std::span<const std::pair<OpId, int64_t>> marked() const { return marked_; }

  // The op's result shape with the marked dims per batch.
  Shape ShapeOf(const Op& op) const;
  // Returns, where the batch is 1, the dims of operands that do not have it but meet one that does,
  // by operand and dim.
  std::vector<BatchStretch> Stretches(const Op& op) const;
  // The shape of each operand as the op needs it, so stretched.
  std::vector<Shape> OperandShapes(const Op& op) const;
  // The op with shape and attributes for any batch. Errors: the shape rules do
  // not take the operands or tell another result.
  absl::StatusOr<Op> Separated(const Op& op) const;

  // Whether every op that the marks from number `begin` on touch can be
  // separated; the first error else.
  absl::Status Check(size_t begin = 0) const;
  // The marks, and the constants that go with them. `seeds` were spread.
  BatchGuess Guess(std::vector<BatchSeed> seeds) const;

  // "place: name: why".
  absl::Status Stopped(const Op& op, const std::string& why) const;

 private:
  struct Source {
    OpId via = kNoOp;
    OpId from = kNoOp;
    int64_t dim = 0;
  };

  absl::Status Separate(Op& op) const;
  bool TakesWhole(const Op& op, size_t dim, int64_t size) const;
  absl::Status CheckLeaf(const Op& op, int64_t dim, const Source& source) const;
  absl::Status Mark(OpId op, int64_t dim, int64_t inner, const Source& source);
  void Queue(OpId op);
  absl::Status Follow(const Op& op);
  absl::Status FollowReshape(const Op& op);
  absl::Status CarryOver(const Op& op, OpId from, OpId to);
  bool IsWhole(OpId value, int64_t dim) const;
  std::optional<int64_t> Holder(const Shape& from, int64_t dim, int64_t inner, OpId value,
                                int64_t& inner_there) const;
  std::set<double> BatchCounts() const;
  OpId ValueOf(const Op& op, const DimSlot& slot) const {
    return slot.operand == DimSlot::kResult ? op.id : op.operands[slot.operand];
  }

  const Graph& graph_;
  int64_t batch_ = 1;
  Followed followed_ = Followed::kBatch;
  std::vector<size_t> begin_;  // by op, into marks_
  std::vector<BatchMark> marks_;
  std::vector<std::pair<OpId, int64_t>> marked_;
  std::deque<OpId> queue_;
  std::vector<bool> queued_;
  DimLinks links_;
};

}  // namespace tilewise
