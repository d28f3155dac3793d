// The all-reduce combiner. Collectives of equal depth, counted in collectives
// on the way, cannot need or wait for each other, nor can buckets of them form
// a cycle.

#include "sim/lowering/latency_hiding_schedule/all_reduce_buckets.h"

#include <algorithm>
#include <map>
#include <string>
#include <tuple>

#include "graph/op_traits.h"
#include "sim/lowering/tile_selection/even_tiles.h"

namespace tilewise {
namespace {

// XLA's default limits of one combined all-reduce.
constexpr Bytes kMaxBucket = {30 * 1024 * 1024};
constexpr size_t kMaxOps = 256;

template <typename T>
void Append(std::vector<T>& to, const std::vector<T>& from) {
  to.insert(to.end(), from.begin(), from.end());
  std::sort(to.begin(), to.end());
  to.erase(std::unique(to.begin(), to.end()), to.end());
}

void MergeInto(Kernel& bucket, const Kernel& kernel) {
  Append(bucket.ops, kernel.ops);
  Append(bucket.inputs, kernel.inputs);
  Append(bucket.outputs, kernel.outputs);
  bucket.vector.alu += kernel.vector.alu;
  bucket.vector.loads += kernel.vector.loads;
  bucket.vector.stores += kernel.vector.stores;
  bucket.hbm_read += kernel.hbm_read;
  bucket.hbm_write += kernel.hbm_write;
  bucket.collective_bytes += kernel.collective_bytes;
}

// What one bucket has in common: loop, depth, and the collective itself.
using BucketKey = std::tuple<int32_t, int32_t, OpKind, std::string, int64_t>;

// Joined parts and shuffles are wanted one by one, sums all at once.
bool IsSum(const Kernel& kernel) {
  return kernel.kind == KernelKind::kCollective &&
         (kernel.collective == OpKind::kAllReduce || kernel.collective == OpKind::kReduceScatter);
}

// Collectives on the longest way to each value; kNotWritten: by no kernel.
using Depths = std::vector<int32_t>;
constexpr int32_t kNotWritten = -1;

int32_t DepthBehind(const Graph& graph, const Depths& of_value, OpId id) {
  while (of_value[id] == kNotWritten && !graph.op(id).operands.empty()) {
    id = graph.op(id).operands[0];
  }
  return of_value[id];
}

// Returns the depth of what the barriers of `kernel`, and copies from the host,
// wait for.
int32_t DepthOfWaits(const Graph& graph, const Depths& of_value, const Kernel& kernel) {
  int32_t depth = 0;
  for (const OpId id : kernel.ops) {
    const Op& op = graph.op(id);
    if (!TraitsOf(op.kind).waits) {
      continue;
    }
    for (size_t i = 1; i < op.operands.size(); ++i) {
      depth = std::max(depth, DepthBehind(graph, of_value, op.operands[i]));
    }
  }
  return depth;
}

// Collectives on the longest way to each kernel; kernels are in issue order.
Depths CollectiveDepths(const Program& program) {
  Depths of_value(static_cast<size_t>(program.graph.size()), kNotWritten);
  Depths depths;
  for (const Kernel& kernel : program.kernels) {
    int32_t depth = DepthOfWaits(program.graph, of_value, kernel);
    for (const OpId id : kernel.inputs) {
      depth = std::max(depth, of_value[id]);
    }
    depths.push_back(depth);
    const int32_t after = depth + (kernel.kind == KernelKind::kCollective ? 1 : 0);
    for (const OpId id : kernel.outputs) {
      of_value[id] = after;
    }
  }
  return depths;
}

}  // namespace

void CombineAllReduces(Program& program, const Chip& chip) {
  const Depths depths = CollectiveDepths(program);
  std::vector<Kernel>& kernels = program.kernels;
  std::map<BucketKey, size_t> open;  // the bucket that takes more
  size_t kept = 0;                   // kernels that stay, at the front
  const auto keep = [&](size_t i) {
    if (kept != i) kernels[kept] = std::move(kernels[i]);
    return kept++;
  };
  for (size_t i = 0; i < kernels.size(); ++i) {
    Kernel& kernel = kernels[i];
    if (!IsSum(kernel)) {
      keep(i);
      continue;
    }
    const BucketKey key = {program.graph.op(kernel.root).loop.id, depths[i], kernel.collective,
                           kernel.mesh_axis, kernel.participants};
    const auto at = open.find(key);
    if (at != open.end() && kernels[at->second].ops.size() < kMaxOps &&
        kernels[at->second].collective_bytes + kernel.collective_bytes <= kMaxBucket) {
      MergeInto(kernels[at->second], kernel);
      continue;
    }
    open[key] = keep(i);
  }
  kernels.resize(kept);
  for (Kernel& kernel : kernels) {
    if (kernel.kind == KernelKind::kCollective) SplitEvenly(kernel, chip);
  }
}

}  // namespace tilewise
