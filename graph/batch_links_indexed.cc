// Links of lookups: places are dims of the indices, rows and slices those of
// the operand, where all of a dim is taken.

#include "graph/batch_link_rules.h"

namespace tilewise {
namespace {

class IndexedLinker {
 public:
  IndexedLinker(const Graph& graph, const Op& op, DimLinks& links)
      : graph_(graph), op_(op), links_(links) {}

  void Run() {
    switch (op_.kind) {
      case OpKind::kGatherSlices:
        return Slices(DimSlot::kResult);
      case OpKind::kScatterSlices:
        for (int64_t dim = 0; dim < op_.shape.rank(); ++dim) {
          links_.Link(0, dim, dim);
        }
        return Slices(2);
      default:
        return Rows();
    }
  }

 private:
  const Shape& shape(size_t operand) const {
    return graph_.operand(op_, static_cast<int>(operand)).shape;
  }

  void AddSlot(int32_t operand, int64_t dim) {
    operand == DimSlot::kResult ? links_.AddResult(dim)
                                : links_.Add(static_cast<size_t>(operand), dim);
  }

  void Rows() {
    const bool gathers = op_.kind == OpKind::kGather;
    const int32_t indices = gathers ? 1 : 0;
    const int32_t rows = gathers ? DimSlot::kResult : 1;
    const int32_t table = gathers ? 0 : DimSlot::kResult;
    const int64_t places = shape(static_cast<size_t>(indices)).rank();
    const Shape& of_table = gathers ? shape(0) : op_.shape;
    for (int64_t dim = 0; dim < places; ++dim) {
      AddSlot(indices, dim);
      AddSlot(rows, dim);
      links_.Close();
    }
    for (int64_t dim = 1; dim < of_table.rank(); ++dim) {
      AddSlot(table, dim);
      AddSlot(rows, places + dim - 1);
      links_.Close();
    }
  }

  // Dims of the slices (a result, or the updates) that are places, and those
  // that are whole dims of the operand.
  void Slices(int32_t slices) {
    const GatherDims& gather = op_.attrs->gather;
    const Shape& of_slices = slices == DimSlot::kResult
                                 ? op_.shape
                                 : shape(static_cast<size_t>(slices));
    int64_t place = 0;
    int64_t kept = 0;
    for (int64_t dim = 0; dim < of_slices.rank(); ++dim) {
      if (!HasDim(gather.offset_dims, dim)) {
        if (place == gather.index_dim) ++place;
        links_.Add(1, place++);
        AddSlot(slices, dim);
        links_.Close();
        continue;
      }
      while (HasDim(gather.collapsed_dims, kept) ||
             HasDim(gather.operand_batch, kept)) {
        ++kept;
      }
      if (shape(0).size(kept) == of_slices.size(dim)) {
        links_.Add(0, kept);
        AddSlot(slices, dim);
        links_.Close();
      }
      ++kept;
    }
    for (size_t i = 0; i < gather.operand_batch.size(); ++i) {
      links_.Add(0, gather.operand_batch[i]);
      links_.Add(1, gather.indices_batch[i]);
      links_.Close();
    }
  }

  const Graph& graph_;
  const Op& op_;
  DimLinks& links_;
};

}  // namespace

void LinkIndexed(const Graph& static_graph, const Op& op, DimLinks& links) {
  IndexedLinker(static_graph, op, links).Run();
}

}  // namespace tilewise
