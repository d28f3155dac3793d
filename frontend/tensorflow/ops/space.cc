// Blocks of space moved into the batch or the features, and back, as reshapes
// and one transpose.

#include <algorithm>

#include <fmt/format.h>

#include "base/math.h"
#include "frontend/tensorflow/ops/families.h"
#include "frontend/tensorflow/ops/operands.h"
#include "library/rearrange.h"

namespace tilewise::tf {
namespace {

constexpr int64_t kMostBlocks = 1 << 16;

// Block sizes of the dims after the batch, and what is padded or cropped.
struct Blocks {
  std::vector<int64_t> sizes;
  std::vector<int64_t> low, high;
  int64_t product = 1;
};

absl::StatusOr<Blocks> MakeBlocks(std::vector<int64_t> sizes, const std::vector<int64_t>& edges,
                                  int64_t rank) {
  Blocks blocks;
  blocks.sizes = std::move(sizes);
  if (edges.size() != 2 * blocks.sizes.size() ||
      static_cast<int64_t>(blocks.sizes.size()) >= rank) {
    return InvalidInput(fmt::format("found {} blocks and {} edges of rank {}", blocks.sizes.size(),
                                    edges.size(), rank));
  }
  for (size_t i = 0; i < blocks.sizes.size(); ++i) {
    const int64_t size = blocks.sizes[i];
    if (size < 1 || size > kMostBlocks || blocks.product * size > kMostBlocks) {
      return InvalidInput(fmt::format("found blocks of {}", size));
    }
    blocks.product *= size;
    for (const int64_t edge : {edges[2 * i], edges[2 * i + 1]}) {
      if (edge < 0 || edge > kMaxElements) {
        return InvalidInput(fmt::format("found {} at an edge", edge));
      }
    }
    blocks.low.push_back(edges[2 * i]);
    blocks.high.push_back(edges[2 * i + 1]);
  }
  return blocks;
}

// Operands 1 and 2 of the ND forms; attribute block_size and operand 1 of the
// older ones, which are of two dims.
absl::StatusOr<Blocks> ReadBlocks(const OpContext& ctx, int64_t rank) {
  if (ctx.op().ends_with("ND")) {
    TW_ASSIGN_OR_RETURN(auto sizes, KnownList(ctx, 1, "block_shape"));
    TW_ASSIGN_OR_RETURN(const auto edges, KnownList(ctx, 2, "paddings"));
    return MakeBlocks(std::move(sizes), edges, rank);
  }
  const int64_t size = ctx.Int("block_size", 2);
  TW_ASSIGN_OR_RETURN(const auto edges, KnownList(ctx, 1, "paddings"));
  return MakeBlocks({size, size}, edges, rank);
}

absl::Status SpaceToBatch(OpContext& ctx) {
  TW_ASSIGN_OR_RETURN(OpId x, Tensor(ctx, 0));
  GraphBuilder& b = ctx.builder();
  const int64_t rank = b.shape(x).rank();
  TW_ASSIGN_OR_RETURN(const Blocks blocks, ReadBlocks(ctx, rank));
  const size_t n = blocks.sizes.size();
  std::vector<int64_t> low(rank, 0), high = low, none = low;
  std::copy(blocks.low.begin(), blocks.low.end(), low.begin() + 1);
  std::copy(blocks.high.begin(), blocks.high.end(), high.begin() + 1);
  if (low != none || high != none) x = b.Pad(x, 0, low, high, none);
  const Shape from = b.shape(x);
  std::vector<Dim> split = {from.dims[0]}, merged = {from.dims[0]};
  merged[0].factor *= blocks.product;
  std::vector<int64_t> order;
  for (size_t i = 0; i < n; ++i) {
    const Dim dim = from.dims[i + 1];
    if (dim.per_batch || dim.factor % blocks.sizes[i] != 0) {
      return InvalidInput(
          fmt::format("{} is no multiple of blocks of {}", FormatShape(from), blocks.sizes[i]));
    }
    split.push_back({dim.factor / blocks.sizes[i], false});
    split.push_back({blocks.sizes[i], false});
    merged.push_back(split[split.size() - 2]);
    order.push_back(static_cast<int64_t>(2 * i + 2));
  }
  order.push_back(0);
  for (size_t i = 0; i < n; ++i) order.push_back(static_cast<int64_t>(2 * i + 1));
  for (size_t i = n + 1; i < from.dims.size(); ++i) {
    order.push_back(static_cast<int64_t>(split.size()));
    split.push_back(from.dims[i]);
    merged.push_back(from.dims[i]);
  }
  return ctx.Result(b.Reshape(b.Transpose(b.Reshape(x, split), order), merged));
}

absl::Status BatchToSpace(OpContext& ctx) {
  TW_ASSIGN_OR_RETURN(const OpId x, Tensor(ctx, 0));
  GraphBuilder& b = ctx.builder();
  const Shape from = b.shape(x);
  TW_ASSIGN_OR_RETURN(const Blocks blocks, ReadBlocks(ctx, from.rank()));
  const auto n = static_cast<int64_t>(blocks.sizes.size());
  Dim batch = from.dims[0];
  if (batch.factor % blocks.product != 0) {
    return InvalidInput(
        fmt::format("the batch of {} is no multiple of {}", FormatShape(from), blocks.product));
  }
  batch.factor /= blocks.product;
  std::vector<Dim> split, merged = {batch};
  for (const int64_t size : blocks.sizes) split.push_back({size, false});
  split.push_back(batch);
  split.insert(split.end(), from.dims.begin() + 1, from.dims.end());
  std::vector<int64_t> order = {n};
  for (int64_t i = 0; i < n; ++i) {
    order.push_back(n + 1 + i);
    order.push_back(i);
    Dim dim = from.dims[i + 1];
    dim.factor *= blocks.sizes[i];
    merged.push_back(dim);
  }
  for (int64_t i = n + 1; i < from.rank(); ++i) {
    order.push_back(n + i);
    merged.push_back(from.dims[i]);
  }
  OpId y = b.Reshape(b.Transpose(b.Reshape(x, split), order), merged);
  for (int64_t i = 0; i < n; ++i) {
    const size_t k = i;
    if (blocks.low[k] == 0 && blocks.high[k] == 0) continue;
    y = b.SliceDim(y, i + 1, blocks.low[k], merged[k + 1].factor - blocks.high[k]);
  }
  return ctx.Result(y);
}

// Images of NHWC or NCHW.
absl::StatusOr<OpId> ReadImage(OpContext& ctx) {
  TW_ASSIGN_OR_RETURN(const OpId x, Tensor(ctx, 0));
  const std::string_view format = ctx.Text("data_format", "NHWC");
  const Shape& from = ctx.builder().shape(x);
  const int64_t block = ctx.Int("block_size", 2);
  if (from.rank() == 4 && (format == "NHWC" || format == "NCHW") && block >= 1 && block <= 4096) {
    return x;
  }
  return InvalidInput(fmt::format("found {} as {} in blocks of {}, expected NHWC or NCHW of rank 4",
                                  FormatShape(from), format, block));
}

absl::Status SpaceToDepthOp(OpContext& ctx) {
  TW_ASSIGN_OR_RETURN(const OpId x, ReadImage(ctx));
  return ctx.Result(SpaceToDepth(ctx.builder(), x, ctx.Int("block_size", 2),
                                 ctx.Text("data_format", "NHWC") == "NCHW"));
}

absl::Status DepthToSpaceOp(OpContext& ctx) {
  TW_ASSIGN_OR_RETURN(const OpId x, ReadImage(ctx));
  return ctx.Result(DepthToSpace(ctx.builder(), x, ctx.Int("block_size", 2),
                                 ctx.Text("data_format", "NHWC") == "NCHW",
                                 BlockOrder::kBlockFirst));
}

constexpr OpEntry kSpaceOps[] = {
    {"BatchToSpace", BatchToSpace},   {"BatchToSpaceND", BatchToSpace},
    {"DepthToSpace", DepthToSpaceOp}, {"SpaceToBatch", SpaceToBatch},
    {"SpaceToBatchND", SpaceToBatch}, {"SpaceToDepth", SpaceToDepthOp},
};

}  // namespace

std::span<const OpEntry> SpaceOps() { return kSpaceOps; }

}  // namespace tilewise::tf
