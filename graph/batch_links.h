// Which dims of an op's result and operands are one and the same dim, as far as
// the batch is concerned: equal in size whatever the batch is.

#pragma once

#include <cstdint>
#include <initializer_list>
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

// What a link function of an op kind (OpTraits::links) sees. Dims that are cut,
// padded, slid over or indexed into are in no group, nor are those of a
// reshape, where it depends on how the batch lies in the dim. Along the joined
// dim of a concatenation, and the shared one of collectives, sizes differ, but
// all are multiples of the batch or none is.
struct LinkCall {
  const Graph& graph;  // static
  const Op& op;
  DimLinks& links;

  const Shape& shape(size_t operand) const {
    return graph.operand(op, static_cast<int>(operand)).shape;
  }
  int64_t rank() const { return op.shape.rank(); }
};

void FindLinks(const Graph& static_graph, const Op& op, DimLinks& links);
// Adds those of positions, which are no batch: of the queries and the result of
// attention, of its keys and values, and of what is cut into tiles.
void LinkPositions(const Graph& static_graph, const Op& op, DimLinks& links);

// Link functions that several kinds have. Every dim of every operand, or of the
// first, is that of the result.
void LinkSame(const LinkCall& call);
void LinkFirst(const LinkCall& call);
// The first `dims` dims of the result with those of `operands`, as far as these
// have them.
void LinkLeading(const LinkCall& call, std::initializer_list<size_t> operands, int64_t dims);

}  // namespace tilewise
