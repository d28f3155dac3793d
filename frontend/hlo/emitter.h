// Appends ops to a graph for one instruction at a time. An op that does not fit
// its operands fails the instruction, not the graph: the first such error
// sticks, calls return kNoOp, and TakeStatus hands it out.
//
// Moves that change nothing (a reshape to the same dims, a transpose that keeps
// the order) return their operand.

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "graph/graph_builder.h"

namespace tilewise::hlo {

class Emitter {
 public:
  // No more than `limit` ops are made; then every instruction fails with
  // ResourceExhausted.
  Emitter(std::string name, int64_t limit) : builder_(std::move(name)), limit_(limit) {}

  // Name and place of the ops that follow.
  void Begin(std::string_view name, Location location);
  void SetLoop(LoopPlace loop) { loop_ = loop; }
  LoopPlace loop() const { return loop_; }

  const Op& op(OpId id) const { return builder_.op(id); }
  const Shape& shape(OpId id) const { return builder_.shape(id); }
  int32_t size() const { return builder_.size(); }
  GraphBuilder& builder() { return builder_; }

  void Fail(const std::string& message);
  // Whether another op may be made; fails otherwise.
  bool CheckRoom();
  bool failed() const { return !status_.ok(); }
  absl::Status TakeStatus();

  // Any op; `shape` is for kinds whose shape does not follow from the operands.
  OpId Add(OpKind kind, std::vector<OpId> operands, Attributes attrs = {}, Shape shape = {});

  OpId Constant(double value, Shape shape);
  OpId Scalar(double value, DType dtype) { return Constant(value, {dtype, {}}); }
  OpId Unary(OpKind kind, OpId x) { return Add(kind, {x}); }
  // Operands are made alike first: scalars broadcast, the narrower type
  // converted to the wider one.
  OpId Binary(OpKind kind, OpId x, OpId y);
  OpId BinaryScalar(OpKind kind, OpId x, double y);
  OpId Compare(Comparison comparison, OpId x, OpId y);
  OpId Select(OpId pred, OpId on_true, OpId on_false);
  OpId Convert(OpId x, DType dtype);
  OpId Barrier(OpId x) { return Add(OpKind::kBarrier, {x}); }
  OpId Opaque(std::string_view label, std::vector<OpId> operands, Shape shape);

  OpId Broadcast(OpId x, std::vector<Dim> dims, std::vector<int64_t> mapping);
  // A scalar to `dims`, or x itself when it has them.
  OpId Fill(OpId x, const std::vector<Dim>& dims);
  OpId Reshape(OpId x, std::vector<Dim> dims);
  OpId Transpose(OpId x, std::vector<int64_t> permutation);
  OpId Reverse(OpId x, std::vector<int64_t> dims);
  OpId SliceDim(OpId x, int64_t dim, int64_t start, int64_t limit);
  // Every dim; a limit of kWholeDim, or all of a dim, keeps it.
  OpId Slice(OpId x, std::vector<int64_t> starts, std::vector<int64_t> limits,
             std::vector<int64_t> strides);
  OpId Concatenate(const std::vector<OpId>& xs, int64_t dim);
  OpId Reduce(Reducer reducer, OpId x, std::vector<int64_t> dims);

  // The value of a constant, seen through moves and conversions.
  std::optional<double> ConstantValue(OpId id) const;

 private:
  void MakeAlike(OpId& x, OpId& y);

  GraphBuilder builder_;
  int64_t limit_;
  absl::Status status_;
  std::string name_;
  Location location_;
  LoopPlace loop_;
};

}  // namespace tilewise::hlo
