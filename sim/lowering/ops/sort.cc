// Sort and top-k as bitonic networks (Batcher, "Sorting networks and their
// applications", 1968): log2 n (log2 n + 1) / 2 stages of compare and exchange.
// The network the compiler takes is not public (tpu-lowering 5); the counts of
// instructions per stage are ours.

#include "sim/lowering/ops/sort.h"

#include <cmath>

#include "base/math.h"
#include "graph/ops/dims.h"
#include "sim/lowering/kernels/root_of_kernel.h"
#include "sim/lowering/lowering_traits.h"
#include "sim/lowering/partition/split_dims.h"

namespace tilewise {
namespace {

int64_t Log2Ceil(int64_t n) {
  int64_t log = 0;
  while ((int64_t{1} << log) < n) ++log;
  return log;
}

// These are per register of one operand and stage.
constexpr double kCompare = 2;    // keys, and the direction of the pair
constexpr double kExchange = 1;   // select
constexpr double kRotations = 2;  // the partner is on either side

// Distances below 2^lanes and 2^sublanes are within a register.
struct Network {
  double operands = 1;
  int64_t in_lanes = 0;
  int64_t in_sublanes = 0;
};

// One stage whose partners are 2^distance elements apart.
VectorWork Stage(const Network& network, int64_t distance) {
  VectorWork work;
  work.alu = kCompare + kExchange * network.operands;
  if (distance < network.in_lanes) {
    work.cross_lane = kRotations * network.operands;
    work.alu += network.operands;  // choose the side
  } else if (distance < network.in_sublanes) {
    work.alu += (kRotations + 1) * network.operands;
  }
  work.loads = network.operands;
  work.stores = network.operands;
  return work;
}

// The phases that sort runs of 2^log elements.
VectorWork SortRuns(const Network& network, int64_t log) {
  VectorWork work;
  for (int64_t phase = 1; phase <= log; ++phase) {
    for (int64_t distance = 0; distance < phase; ++distance) {
      work = work + Stage(network, distance);
    }
  }
  return work;
}

// Sorts runs of k, then keeps the larger half of every pair of runs, puts it in
// order again, and so on: each round has half of the elements of the one
// before.
VectorWork KeepLargest(const Network& network, int64_t log_k, int64_t log_n) {
  VectorWork work = SortRuns(network, log_k);
  double share = 1;
  for (int64_t round = log_k; round < log_n; ++round) {
    work = work + share * Stage(network, log_k);
    share /= 2;
    for (int64_t distance = 0; distance < log_k; ++distance) {
      work = work + share * Stage(network, distance);
    }
  }
  return work;
}

Network NetworkOf(const Layout& layout, int64_t dim, double operands, const Chip& chip) {
  Network network;
  network.operands = operands;
  const std::vector<int64_t>& order = layout.minor_to_major;
  if (dim == order[0]) {
    network.in_lanes = Log2Ceil(chip.lanes);
  } else if (order.size() > 1 && dim == order[1]) {
    network.in_sublanes = Log2Ceil(chip.sublanes);
  }
  return network;
}

OpWork SortWork(const OpContext& context, const Op& op) {
  const Op& x = context.operand(op, 0);
  OpWork work;
  if (x.shape.rank() == 0 || x.shape.elements() == 0) return work;
  const bool is_top_k = op.kind == OpKind::kTopK;
  const int64_t dim = is_top_k ? x.shape.rank() - 1 : op.as<SortAttrs>().dims[0];
  // Ties are told apart by the position, which travels along.
  const double operands = is_top_k ? 2 : static_cast<double>(op.operands.size()) + 1;
  const Network network = NetworkOf(context.layout(x.id), dim, operands, context.chip);
  const int64_t log_n = Log2Ceil(x.shape.size(dim));
  const VectorWork per_register = is_top_k
                                      ? KeepLargest(network, Log2Ceil(op.as<TopKAttrs>().k), log_n)
                                      : SortRuns(network, log_n);
  const double padded =
      std::ldexp(1.0, static_cast<int>(log_n)) / static_cast<double>(x.shape.size(dim));
  work.vector = (padded * context.registers(x)) * per_register;
  return work;
}

std::optional<int64_t> SortOperandDim(const Graph&, const Op& op, size_t, int64_t dim) {
  return DimUnless(HasDim(op.as<SortAttrs>().dims, dim), dim);
}

std::optional<int64_t> TopKOperandDim(const Graph&, const Op& op, size_t, int64_t dim) {
  return DimUnless(dim == op.shape.rank() - 1, dim);
}

void SetSortTraffic(const RootOfKernel& root, Kernel& kernel) {
  const Shape& x = root.operand(0).shape;
  if (x.elements() == 0) return;
  const int64_t size = x.size(root.op.as<SortAttrs>().dims[0]);
  const double passes = SortPasses(size, kernel.hbm_read, x.elements() / size, root.context.chip);
  kernel.hbm_read = {static_cast<int64_t>(passes * static_cast<double>(kernel.hbm_read.value))};
  kernel.hbm_write = {static_cast<int64_t>(passes * static_cast<double>(kernel.hbm_write.value))};
}

}  // namespace

double SortPasses(int64_t size, Bytes bytes, int64_t rows, const Chip& chip) {
  const int64_t log_n = Log2Ceil(size);
  const double per_element = static_cast<double>(bytes.value) / static_cast<double>(rows * size);
  const double room = static_cast<double>(chip.vmem_window_budget.value) / 2;
  int64_t log_block = 0;
  while (log_block < log_n && std::ldexp(per_element, static_cast<int>(log_block) + 1) <= room) {
    ++log_block;
  }
  double passes = 1;
  for (int64_t phase = log_block + 1; phase <= log_n; ++phase) {
    passes += static_cast<double>(phase - log_block) + 1;
  }
  return passes;
}

constexpr LoweringTraits lowering_traits::kSort = {.operand_dim = SortOperandDim,
                                                   .same_order = LoweringTraits::SameOrder::kAll,
                                                   .kernel = KernelKind::kSort,
                                                   .work = SortWork,
                                                   .set_traffic = SetSortTraffic};
constexpr LoweringTraits lowering_traits::kTopK = {.operand_dim = TopKOperandDim,
                                                   .same_order = LoweringTraits::SameOrder::kAll,
                                                   .kernel = KernelKind::kSort,
                                                   .work = SortWork};

}  // namespace tilewise
