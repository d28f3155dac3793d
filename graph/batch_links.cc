// Links by op kind: most keep dims in place.

#include "graph/batch_links.h"

#include <algorithm>

#include "graph/batch_link_rules.h"

namespace tilewise {
namespace {

class Linker {
 public:
  Linker(const Graph& graph, const Op& op, DimLinks& links)
      : graph_(graph), op_(op), links_(links) {}

  void Run() {
    switch (ClassOf(op_.kind)) {
      case OpClass::kLeaf:
        return;
      case OpClass::kElementwise:
        return Same(op_.operands.size());
      case OpClass::kData:
        return Data();
      case OpClass::kReduce:
        return Kept();
      case OpClass::kWindow:
        return Window();
      case OpClass::kMxu:
        return op_.kind == OpKind::kDot ? LinkDot(graph_, op_, links_)
                                        : LinkConvolution(op_, links_);
      case OpClass::kIndex:
        return LinkIndexed(graph_, op_, links_);
      case OpClass::kRandom:  // those of logits
        return op_.operands.empty() ? void() : Leading(1, op_.shape.rank());
      case OpClass::kRecurrent:
        return Leading(op_.kind == OpKind::kRecurrent ? 1 : 4, 1, {0, 2, 3});
      case OpClass::kSort:
        return op_.kind == OpKind::kSort ? Same(op_.operands.size())
                                         : Leading(1, op_.shape.rank() - 1);
      case OpClass::kAttention:
        return Attention();
      case OpClass::kTransfer:
      case OpClass::kCollective:
        return Same(1);
      case OpClass::kComposite:
        return Composite();
      case OpClass::kOpaque:
        return Opaque();
    }
  }

 private:
  const Shape& shape(size_t operand) const {
    return graph_.operand(op_, static_cast<int>(operand)).shape;
  }
  int64_t rank() const { return op_.shape.rank(); }

  // Every dim of the first `operands` operands is that of the result.
  void Same(size_t operands) {
    for (int64_t dim = 0; dim < rank(); ++dim) {
      links_.AddResult(dim);
      for (size_t i = 0; i < operands; ++i) links_.Add(i, dim);
      links_.Close();
    }
  }

  // The first `dims` dims of the first `operands` operands, or of those listed.
  void Leading(size_t operands, int64_t dims, std::vector<size_t> only = {}) {
    for (int64_t dim = 0; dim < dims; ++dim) {
      links_.AddResult(dim);
      for (size_t i = 0; i < operands; ++i) {
        const bool in = only.empty() ||
                        std::find(only.begin(), only.end(), i) != only.end();
        if (in && dim < shape(i).rank()) links_.Add(i, dim);
      }
      links_.Close();
    }
  }

  void Data() {
    const Attributes& attrs = op_.attrs;
    switch (op_.kind) {
      case OpKind::kBroadcast:
        for (size_t i = 0; i < attrs.dims.size(); ++i) {
          links_.Link(0, static_cast<int64_t>(i), attrs.dims[i]);
        }
        return;
      case OpKind::kReshape:
        return;
      case OpKind::kTranspose:
        for (int64_t dim = 0; dim < rank(); ++dim) {
          links_.Link(0, attrs.dims[static_cast<size_t>(dim)], dim);
        }
        return;
      case OpKind::kBitcastConvert:
        return Leading(1, std::min(rank(), shape(0).rank()));
      case OpKind::kConcatenate:
        return Same(op_.operands.size());
      case OpKind::kSlice:
      case OpKind::kPad:
      case OpKind::kDynamicSlice:
        return Uncut();
      case OpKind::kDynamicUpdateSlice:
        return Updated();
      default:  // reverse, barrier, copy
        return Same(1);
    }
  }

  bool IsCut(int64_t dim) const {
    const auto i = static_cast<size_t>(dim);
    const Attributes& attrs = op_.attrs;
    switch (op_.kind) {
      case OpKind::kSlice:
        return attrs.starts[i] != 0 || attrs.strides[i] != 1 ||
               attrs.limits[i] != shape(0).size(dim);
      case OpKind::kPad:
        return attrs.pad_low[i] != 0 || attrs.pad_high[i] != 0 ||
               attrs.pad_interior[i] != 0;
      default:
        return op_.shape.size(dim) != shape(0).size(dim);
    }
  }

  void Uncut() {
    for (int64_t dim = 0; dim < rank(); ++dim) {
      if (!IsCut(dim)) links_.Link(0, dim, dim);
    }
  }

  void Updated() {
    for (int64_t dim = 0; dim < rank(); ++dim) {
      links_.AddResult(dim);
      links_.Add(0, dim);
      if (shape(1).size(dim) == op_.shape.size(dim)) links_.Add(1, dim);
      links_.Close();
    }
  }

  void Kept() {
    int64_t result = 0;
    for (int64_t dim = 0; dim < shape(0).rank(); ++dim) {
      if (!HasDim(op_.attrs->dims, dim)) links_.Link(0, dim, result++);
    }
  }

  void Window() {
    if (op_.kind == OpKind::kCumulative) return Same(1);
    const bool scatters = op_.kind == OpKind::kSelectAndScatter;
    for (const int64_t dim : {int64_t{0}, WindowFeatureDim(op_.attrs)}) {
      links_.AddResult(dim);
      links_.Add(0, dim);
      if (scatters) links_.Add(1, dim);
      links_.Close();
    }
  }

  // A mask may have a dim of size 1 there, whatever the batch is.
  void Attention() {
    const size_t mask = op_.kind == OpKind::kFlashAttentionGrad ? 6 : 3;
    links_.AddResult(0);
    for (size_t i = 0; i < op_.operands.size(); ++i) {
      if (i != mask || shape(i).size(0) != 1) links_.Add(i, 0);
    }
    links_.Close();
  }

  void Composite() {
    switch (op_.kind) {
      case OpKind::kAttention:
        return Attention();
      case OpKind::kSoftmaxCrossEntropy: {
        Leading(2, rank());
        if (shape(1).rank() == rank()) return;
        links_.Add(0, rank());
        links_.Add(1, rank());
        return links_.Close();
      }
      case OpKind::kBatchNormTraining:
      case OpKind::kBatchNormInference:
      case OpKind::kLayerNorm:
        return Norm();
      default:
        return Same(1);
    }
  }

  void Norm() {
    const std::vector<int64_t>& dims = op_.attrs->dims;
    for (int64_t dim = 0; dim < rank(); ++dim) {
      links_.AddResult(dim);
      links_.Add(0, dim);
      const auto at = std::find(dims.begin(), dims.end(), dim);
      for (size_t i = 1; at != dims.end() && i < op_.operands.size(); ++i) {
        links_.Add(i, at - dims.begin());
      }
      links_.Close();
    }
  }

  // Dims of one number and size are taken for the same.
  void Opaque() {
    for (int64_t dim = 0; dim < rank(); ++dim) {
      links_.AddResult(dim);
      for (size_t i = 0; i < op_.operands.size(); ++i) {
        const bool same =
            dim < shape(i).rank() && shape(i).size(dim) == op_.shape.size(dim);
        if (same) links_.Add(i, dim);
      }
      links_.Close();
    }
  }

  const Graph& graph_;
  const Op& op_;
  DimLinks& links_;
};

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

void DimLinks::AddResult(int64_t dim) {
  slots_.push_back({DimSlot::kResult, dim});
}

void DimLinks::Close() { ends_.push_back(slots_.size()); }

void DimLinks::Link(size_t operand, int64_t dim, int64_t result_dim) {
  AddResult(result_dim);
  Add(operand, dim);
  Close();
}

void FindLinks(const Graph& static_graph, const Op& op, DimLinks& links) {
  links.Clear();
  Linker(static_graph, op, links).Run();
}

}  // namespace tilewise
