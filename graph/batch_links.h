// Which dims of an op's result and operands are one and the same dim, as far as
// the batch is concerned: equal in size whatever the batch is.

#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "graph/graph.h"

namespace tilewise {

struct DimSlot {
  static constexpr int32_t kResult = -1;
  int32_t operand = kResult;
  int64_t dim = 0;
};

// Groups of slots; reused from op to op.
class DimLinks {
 public:
  void Clear();
  size_t size() const { return ends_.size(); }
  std::span<const DimSlot> group(size_t i) const;

  // Adds to the open group. Groups of one slot link nothing.
  void Add(size_t operand, int64_t dim);
  void AddResult(int64_t dim);
  void Close();
  void Link(size_t operand, int64_t dim, int64_t result_dim);

 private:
  std::vector<DimSlot> slots_;
  std::vector<size_t> ends_;
};

// Of every kind but reshape, where it depends on how the batch lies in the dim.
// Dims that are cut, padded, slid over or indexed into are in no group. Along
// the joined dim of a concatenation, and the shared one of collectives, sizes
// differ, but all are multiples of the batch or none is.
void FindLinks(const Graph& static_graph, const Op& op, DimLinks& links);

}  // namespace tilewise
