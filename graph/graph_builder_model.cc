// The ops of a builder that sort, scan and attend, and those between cores.

#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "graph/graph_builder.h"

namespace tilewise {
namespace {

CollectiveAttrs GroupAttrs(std::vector<int64_t> dims, int64_t group_size, std::string_view axis,
                           int64_t shift = 0) {
  return {
      .dims = std::move(dims), .group_size = group_size, .shift = shift, .axis = std::string(axis)};
}

AttentionAttrs ResultOf(AttentionAttrs attention, int64_t result) {
  attention.flash = false;
  attention.result = result;
  return attention;
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
  std::vector<OpId> operands = {x};
  operands.insert(operands.end(), starts.begin(), starts.end());
  return AddMade(OpKind::kDynamicSlice, std::move(operands), DimsAttrs{std::move(dims)},
                 std::move(part));
}

OpId GraphBuilder::DynamicUpdateSlice(OpId x, OpId update, const std::vector<OpId>& starts,
                                      std::vector<int64_t> dims) {
  std::vector<OpId> operands = {x, update};
  operands.insert(operands.end(), starts.begin(), starts.end());
  return AddMade(OpKind::kDynamicUpdateSlice, std::move(operands), DimsAttrs{std::move(dims)});
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
  return AddMade(OpKind::kCumulative, {x}, CumulativeAttrs{{dim}, reverse, reducer});
}

OpId GraphBuilder::Sort(const std::vector<OpId>& operands, int64_t dim, bool descending,
                        int64_t result) {
  return AddMade(OpKind::kSort, operands, SortAttrs{{dim}, descending, result});
}

OpId GraphBuilder::TopK(OpId x, int64_t k, int64_t result) {
  return AddMade(OpKind::kTopK, {x}, TopKAttrs{k, result});
}

OpId GraphBuilder::Attention(OpId q, OpId k, OpId v, const AttentionOptions& options, OpId mask) {
  AttentionAttrs attrs;
  attrs.causal = options.causal;
  attrs.sliding_window = options.sliding_window;
  attrs.flash = options.flash;
  attrs.precision_passes = options.precision_passes;
  attrs.blocks = options.blocks;
  const std::vector<Dim>& dims = shape(q).dims;
  const int64_t depth = dims.empty() ? 1 : dims.back().factor;
  attrs.scale = options.scale.value_or(1 / std::sqrt(static_cast<double>(depth)));
  std::vector<OpId> operands = {q, k, v};
  if (mask != kNoOp) operands.push_back(mask);
  return AddMade(OpKind::kAttention, std::move(operands), std::move(attrs));
}

OpId GraphBuilder::Copy(OpId x) { return AddMade(OpKind::kCopy, {x}); }

OpId GraphBuilder::FlashAttention(const std::vector<OpId>& operands,
                                  const AttentionAttrs& attention, int64_t result) {
  return AddMade(OpKind::kFlashAttention, operands, ResultOf(attention, result));
}

OpId GraphBuilder::FlashAttentionGrad(const std::vector<OpId>& operands,
                                      const AttentionAttrs& attention, int64_t result) {
  return AddMade(OpKind::kFlashAttentionGrad, operands, ResultOf(attention, result));
}

OpId GraphBuilder::PartitionId(int64_t group_size, std::string_view axis) {
  return AddMade(OpKind::kPartitionId, {}, GroupAttrs({}, group_size, axis),
                 Shape::Of(DType::kS32, {}));
}

OpId GraphBuilder::AllReduce(OpId x, int64_t group_size, std::string_view axis) {
  return AddMade(OpKind::kAllReduce, {x}, GroupAttrs({}, group_size, axis));
}

OpId GraphBuilder::AllGather(OpId x, int64_t dim, int64_t group_size, std::string_view axis) {
  return AddMade(OpKind::kAllGather, {x}, GroupAttrs({dim}, group_size, axis));
}

OpId GraphBuilder::ReduceScatter(OpId x, int64_t dim, int64_t group_size, std::string_view axis) {
  return AddMade(OpKind::kReduceScatter, {x}, GroupAttrs({dim}, group_size, axis));
}

OpId GraphBuilder::AllToAll(OpId x, int64_t split_dim, int64_t concat_dim, int64_t group_size,
                            std::string_view axis) {
  return AddMade(OpKind::kAllToAll, {x}, GroupAttrs({split_dim, concat_dim}, group_size, axis));
}

OpId GraphBuilder::CollectivePermute(OpId x, int64_t shift, int64_t group_size,
                                     std::string_view axis) {
  return AddMade(OpKind::kCollectivePermute, {x}, GroupAttrs({}, group_size, axis, shift));
}

}  // namespace tilewise
