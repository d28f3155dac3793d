// The ops of a builder that sort, scan and attend, and those between cores.

#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "graph/graph_builder.h"

namespace tilewise {
namespace {

Attributes GroupAttributes(std::vector<int64_t> dims, int64_t group_size, std::string_view axis) {
  Attributes attrs;
  attrs.dims = std::move(dims);
  attrs.group_size = group_size;
  attrs.axis = std::string(axis);
  return attrs;
}

Attributes ResultOf(const Attributes& attention, int64_t result) {
  Attributes attrs;
  attrs.causal = attention.causal;
  attrs.sliding_window = attention.sliding_window;
  attrs.scale = attention.scale;
  attrs.precision_passes = attention.precision_passes;
  attrs.window = attention.window;
  attrs.result = result;
  return attrs;
}

}  // namespace

OpId GraphBuilder::DynamicSlice(OpId x, const std::vector<OpId>& starts, std::vector<int64_t> dims,
                                const std::vector<int64_t>& sizes) {
  Shape part = shape(x);
  if (dims.size() != sizes.size()) {
    Fail(fmt::format("dynamic slice: found {} sizes for {} dims", sizes.size(), dims.size()));
    return kNoOp;
  }
  for (size_t i = 0; i < dims.size(); ++i) {
    if (dims[i] < 0 || dims[i] >= part.rank()) continue;  // the rule says so
    part.dims[dims[i]] = {sizes[i], false};
  }
  Attributes attrs;
  attrs.dims = std::move(dims);
  std::vector<OpId> operands = {x};
  operands.insert(operands.end(), starts.begin(), starts.end());
  return AddMade(OpKind::kDynamicSlice, std::move(operands), std::move(attrs), std::move(part));
}

OpId GraphBuilder::DynamicUpdateSlice(OpId x, OpId update, const std::vector<OpId>& starts,
                                      std::vector<int64_t> dims) {
  Attributes attrs;
  attrs.dims = std::move(dims);
  std::vector<OpId> operands = {x, update};
  operands.insert(operands.end(), starts.begin(), starts.end());
  return AddMade(OpKind::kDynamicUpdateSlice, std::move(operands), std::move(attrs));
}

OpId GraphBuilder::Barrier(OpId x, const std::vector<OpId>& others) {
  std::vector<OpId> operands = {x};
  operands.insert(operands.end(), others.begin(), others.end());
  return AddMade(OpKind::kBarrier, std::move(operands));
}

OpId GraphBuilder::CopyToHost(OpId x) { return AddMade(OpKind::kCopyToHost, {x}); }

OpId GraphBuilder::CopyFromHost(OpId host, const std::vector<OpId>& others) {
  std::vector<OpId> operands = {host};
  operands.insert(operands.end(), others.begin(), others.end());
  return AddMade(OpKind::kCopyFromHost, std::move(operands));
}

OpId GraphBuilder::Cumulative(Reducer reducer, OpId x, int64_t dim, bool reverse) {
  Attributes attrs;
  attrs.reducer = reducer;
  attrs.dims = {dim};
  attrs.reverse = reverse;
  return AddMade(OpKind::kCumulative, {x}, std::move(attrs));
}

OpId GraphBuilder::Sort(const std::vector<OpId>& operands, int64_t dim, bool descending,
                        int64_t result) {
  Attributes attrs;
  attrs.dims = {dim};
  attrs.descending = descending;
  attrs.result = result;
  return AddMade(OpKind::kSort, operands, std::move(attrs));
}

OpId GraphBuilder::TopK(OpId x, int64_t k, int64_t result) {
  Attributes attrs;
  attrs.k = k;
  attrs.result = result;
  return AddMade(OpKind::kTopK, {x}, std::move(attrs));
}

OpId GraphBuilder::Attention(OpId q, OpId k, OpId v, const AttentionOptions& options, OpId mask) {
  Attributes attrs;
  attrs.causal = options.causal;
  attrs.sliding_window = options.sliding_window;
  attrs.flash = options.flash;
  attrs.precision_passes = options.precision_passes;
  attrs.window = options.blocks;
  const std::vector<Dim>& dims = shape(q).dims;
  const int64_t depth = dims.empty() ? 1 : dims.back().factor;
  attrs.scale = options.scale.value_or(1 / std::sqrt(static_cast<double>(depth)));
  std::vector<OpId> operands = {q, k, v};
  if (mask != kNoOp) operands.push_back(mask);
  return AddMade(OpKind::kAttention, std::move(operands), std::move(attrs));
}

OpId GraphBuilder::Copy(OpId x) { return AddMade(OpKind::kCopy, {x}); }

OpId GraphBuilder::FlashAttention(const std::vector<OpId>& operands, const Attributes& attention,
                                  int64_t result) {
  return AddMade(OpKind::kFlashAttention, operands, ResultOf(attention, result));
}

OpId GraphBuilder::FlashAttentionGrad(const std::vector<OpId>& operands,
                                      const Attributes& attention, int64_t result) {
  return AddMade(OpKind::kFlashAttentionGrad, operands, ResultOf(attention, result));
}

OpId GraphBuilder::PartitionId(int64_t group_size, std::string_view axis) {
  return AddMade(OpKind::kPartitionId, {}, GroupAttributes({}, group_size, axis),
                 Shape::Of(DType::kS32, {}));
}

OpId GraphBuilder::AllReduce(OpId x, int64_t group_size, std::string_view axis) {
  return AddMade(OpKind::kAllReduce, {x}, GroupAttributes({}, group_size, axis));
}

OpId GraphBuilder::AllGather(OpId x, int64_t dim, int64_t group_size, std::string_view axis) {
  return AddMade(OpKind::kAllGather, {x}, GroupAttributes({dim}, group_size, axis));
}

OpId GraphBuilder::ReduceScatter(OpId x, int64_t dim, int64_t group_size, std::string_view axis) {
  return AddMade(OpKind::kReduceScatter, {x}, GroupAttributes({dim}, group_size, axis));
}

OpId GraphBuilder::AllToAll(OpId x, int64_t split_dim, int64_t concat_dim, int64_t group_size,
                            std::string_view axis) {
  return AddMade(OpKind::kAllToAll, {x},
                 GroupAttributes({split_dim, concat_dim}, group_size, axis));
}

OpId GraphBuilder::CollectivePermute(OpId x, int64_t shift, int64_t group_size,
                                     std::string_view axis) {
  Attributes attrs = GroupAttributes({}, group_size, axis);
  attrs.shift = shift;
  return AddMade(OpKind::kCollectivePermute, {x}, std::move(attrs));
}

}  // namespace tilewise
