// Groups of slots, and the links that several op kinds have.

#include "graph/batch_links.h"

#include "graph/op_traits.h"

namespace tilewise {
namespace {

void LinkInPlace(const LinkCall& call, size_t operands) {
  for (int64_t dim = 0; dim < call.rank(); ++dim) {
    call.links.AddResult(dim);
    for (size_t i = 0; i < operands; ++i) call.links.Add(i, dim);
    call.links.Close();
  }
}

}  // namespace

void DimLinks::Clear() {
  slots_.clear();
  ends_.clear();
}

std::span<const DimSlot> DimLinks::group(size_t i) const {
  const size_t begin = i == 0 ? 0 : ends_[i - 1];
  return std::span<const DimSlot>(slots_).subspan(begin, ends_[i] - begin);
}

void DimLinks::Add(size_t operand, int64_t dim) {
  slots_.push_back({static_cast<int32_t>(operand), dim});
}

void DimLinks::AddResult(int64_t dim) { slots_.push_back({DimSlot::kResult, dim}); }

void DimLinks::Close() { ends_.push_back(slots_.size()); }

void DimLinks::Link(size_t operand, int64_t dim, int64_t result_dim) {
  AddResult(result_dim);
  Add(operand, dim);
  Close();
}

void FindLinks(const Graph& static_graph, const Op& op, DimLinks& links) {
  links.Clear();
  const LinkFunction function = TraitsOf(op.kind).links;
  if (function != nullptr) function({static_graph, op, links});
}

void LinkPositions(const Graph& static_graph, const Op& op, DimLinks& links) {
  if (op.kind == OpKind::kSlice) {
    for (int64_t dim = 0; dim < op.shape.rank(); ++dim) {
      const bool is_cut = op.shape.size(dim) != static_graph.operand(op, 0).shape.size(dim);
      if (is_cut) links.Link(0, dim, dim);
    }
  }
  if (op.kind != OpKind::kAttention && op.kind != OpKind::kFlashAttention) return;
  constexpr size_t kMask = 3;
  const Shape* const mask =
      op.operands.size() > kMask ? &static_graph.operand(op, kMask).shape : nullptr;
  links.AddResult(1);
  links.Add(0, 1);
  if (mask != nullptr && mask->size(2) > 1) links.Add(kMask, 2);
  links.Close();
  links.Add(1, 1);
  links.Add(2, 1);
  if (mask != nullptr && mask->size(3) > 1) links.Add(kMask, 3);
  links.Close();
}

void LinkSame(const LinkCall& call) { LinkInPlace(call, call.op.operands.size()); }

void LinkFirst(const LinkCall& call) { LinkInPlace(call, 1); }

void LinkLeading(const LinkCall& call, std::initializer_list<size_t> operands, int64_t dims) {
  for (int64_t dim = 0; dim < dims; ++dim) {
    call.links.AddResult(dim);
    for (const size_t i : operands) {
      if (dim < call.shape(i).rank()) call.links.Add(i, dim);
    }
    call.links.Close();
  }
}

}  // namespace tilewise
