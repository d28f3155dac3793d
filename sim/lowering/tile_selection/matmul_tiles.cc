// The grid is the compiler's choice or given; the work follows from it.

#include "sim/lowering/tile_selection/matmul_tiles.h"

#include <algorithm>

#include "base/math.h"
#include "sim/lowering/kernels/op_work.h"
#include "sim/lowering/memory_space_assignment/prefetch.h"
#include "sim/lowering/tile_selection/even_tiles.h"
#include "sim/lowering/tile_selection/matmul_grid.h"

namespace tilewise {
namespace {

bool HasId(const std::vector<OpId>& ids, OpId id) {
  return std::find(ids.begin(), ids.end(), id) != ids.end();
}

int64_t ProductOf(const Shape& shape, const std::vector<int64_t>& dims) {
  int64_t product = 1;
  for (const int64_t dim : dims) product *= shape.size(dim);
  return product;
}

bool LanesAreOneOf(const Layout& layout, const std::vector<int64_t>& dims) {
  return !layout.minor_to_major.empty() &&
         std::find(dims.begin(), dims.end(), layout.minor_to_major[0]) != dims.end();
}

MatmulDims DimsOf(const Program& program, const Op& dot) {
  const Op& lhs = program.graph.operand(dot, 0);
  const Op& rhs = program.graph.operand(dot, 1);
  const DotDims& which = dot.as<DotAttrs>();
  const auto layout = [&](const Op& op) -> const Layout& { return program.layouts[op.id]; };
  MatmulDims dims;
  dims.batch = ProductOf(lhs.shape, which.lhs_batch);
  dims.k = ProductOf(lhs.shape, which.lhs_contract);
  dims.m = lhs.shape.elements() / (dims.batch * dims.k);
  dims.n = rhs.shape.elements() / (dims.batch * dims.k);
  dims.lhs_transposed = !LanesAreOneOf(layout(lhs), which.lhs_contract);
  dims.rhs_transposed = LanesAreOneOf(layout(rhs), which.rhs_contract);
  // The result's dims are batch, rows of lhs, columns of rhs.
  const auto before_columns =
      static_cast<int64_t>(lhs.shape.rank() - static_cast<int64_t>(which.lhs_contract.size()));
  const std::vector<int64_t>& order = layout(dot).minor_to_major;
  dims.result_transposed = !order.empty() && order[0] < before_columns;
  const auto bytes = [](const Op& op) {
    return std::max<int64_t>(1, BitWidth(op.shape.dtype) / 8);
  };
  dims.lhs_bytes = bytes(lhs);
  dims.rhs_bytes = bytes(rhs);
  dims.result_bytes = bytes(dot);
  return dims;
}

OperandReads ReadsOf(int64_t own_windows, int64_t other_windows, int64_t other_per_core,
                     bool shared_out, bool stays, int64_t k_windows, int64_t cores) {
  OperandReads reads;
  // A core goes round the other dim for each own window, or keeps that one.
  const double rounds = stays ? 1 : static_cast<double>(other_per_core);
  const int64_t readers = shared_out ? 1 : std::min(cores, std::max<int64_t>(1, other_windows));
  reads.times = rounds * static_cast<double>(readers);
  const int64_t at_once = shared_out ? std::min(cores, own_windows) : readers;
  reads.first = static_cast<double>(at_once) / static_cast<double>(own_windows * k_windows);
  return reads;
}

GridReads ReadsOf(const MatmulDims& dims, const MatmulGrid& grid, const Chip& chip) {
  const int64_t cores = chip.tensor_cores_per_device;
  const bool k_whole = grid.k_windows == 1;
  GridReads reads;
  if (dims.batch > 1) {  // each core has its own operands
    reads.lhs.times = static_cast<double>(grid.n_windows);
    reads.rhs.times = k_whole ? 1 : static_cast<double>(grid.m_windows);
    const auto first = [&](int64_t windows) {
      return static_cast<double>(std::min(cores, dims.batch)) /
             static_cast<double>(dims.batch * windows * grid.k_windows);
    };
    reads.lhs.first = first(grid.m_windows);
    reads.rhs.first = first(grid.n_windows);
    return reads;
  }
  reads.lhs = ReadsOf(grid.m_windows, grid.n_windows, grid.n_per_core, !grid.cores_share_n,
                      k_whole && grid.m_per_core == 1, grid.k_windows, cores);
  reads.rhs = ReadsOf(grid.n_windows, grid.m_windows, grid.m_per_core, grid.cores_share_n, k_whole,
                      grid.k_windows, cores);
  return reads;
}

// The result goes back to float16; a sum over windows of the depth is read, added to and written
// for each of them but the first.
void AddResultWork(const Program& program, double times, int64_t k_windows, const Chip& chip,
                   Kernel& kernel) {
  const OpContext context{program, chip};
  const double sums = static_cast<double>(k_windows - 1) * chip.partial_sum_ops;
  for (const OpId id : kernel.outputs) {
    const Op& op = program.graph.op(id);
    if (!IsConverted(op.shape.dtype)) continue;
    kernel.vector.alu += times * context.registers(op) * (chip.f16_pack_ops + sums);
  }
}

// ALU operations that turn an operand of a type that the array has no path for
// into a register of one that it has: an elementwise conversion, but for
// float16.
double UnpackOps(DType dtype, const Chip& chip) {
  if (IsConverted(dtype)) return chip.f16_unpack_ops;
  const int64_t bits = BitWidth(dtype);
  double rate = 1;
  if (bits == 8) rate = IsFloat(dtype) ? chip.mxu_rate_fp8 : chip.mxu_rate_int8;
  if (bits == 4) rate = chip.mxu_rate_int4;
  return rate > 0 ? 0 : 1;
}

// Work of the busiest core over the mean of all, idle ones included, by whole windows.
double BusiestCore(const MatmulDims& dims, const MatmulGrid& grid, const Chip& chip) {
  const auto all = static_cast<double>(dims.batch * grid.n_windows * grid.m_windows);
  const auto most = static_cast<double>(grid.batch_per_core * grid.n_per_core * grid.m_per_core);
  return most * static_cast<double>(chip.tensor_cores_per_device) / all * grid.n_cover *
         grid.m_cover;
}

// Where rhs is there from the start, the first window of lhs arrives while rhs is converted, and of
// several windows the last result leaves as it is made (seen in tpu-v4-gemm). Each end is a byte,
// as none at all stands for what any other step moves.
void HideEnds(Kernel& kernel) { kernel.windows.first_read = kernel.windows.last_write = {1}; }

}  // namespace

bool IsConverted(DType dtype) { return dtype == DType::kF16; }

void ConvertOperands(const Program& program, Kernel& kernel, double lhs_times, double rhs_times,
                     const Chip& chip) {
  const OpContext context{program, chip};
  const Op& root = program.graph.op(kernel.root);
  const double times[] = {lhs_times, rhs_times};
  for (int i = 0; i < 2; ++i) {
    const Op& operand = context.operand(root, i);
    const double ops = UnpackOps(operand.shape.dtype, chip);
    if (ops == 0) continue;
    const double work = times[i] * context.registers(operand) * ops;
    kernel.matrix.feed_alu += work;
    kernel.vector.alu += work;
  }
}

void TileMatmul(const Program& program, Kernel& kernel, const OperandInputs& inputs,
                const LoweringContext& context) {
  const Chip& chip = context.target.chip;
  MatmulDims dims = DimsOf(program, program.graph.op(kernel.root));
  const OpId prefetched = PrefetchedArgument(program, chip);
  dims.lhs_on_chip = HasId(inputs.lhs, prefetched);
  dims.rhs_on_chip = !dims.lhs_on_chip && HasId(inputs.rhs, prefetched);
  const std::optional<MatmulCuts>& given = context.options.matmul_cuts;
  const MatmulGrid grid =
      given ? GivenMatmulGrid(dims, *given, chip) : ChooseMatmulGrid(dims, chip);

  const double busiest = BusiestCore(dims, grid, chip);
  kernel.matrix.busiest_core = busiest;
  ConvertOperands(program, kernel, busiest / grid.n_cover * static_cast<double>(grid.n_windows),
                  busiest / grid.m_cover * static_cast<double>(grid.m_windows), chip);
  AddResultWork(program, busiest, grid.k_windows, chip, kernel);

  GridReads reads = ReadsOf(dims, grid, chip);
  // The second on-chip memory is read in place: no window waits for a copy.
  if (dims.lhs_on_chip) reads.lhs.first = 0;
  if (dims.rhs_on_chip) reads.rhs.first = 0;
  SetTraffic(program, inputs, reads, grid.steps(), chip, kernel);
  const int64_t cores = chip.tensor_cores_per_device;
  SetSteps(kernel, grid.steps(), {GridBytes(dims, grid).value * cores / 2}, chip);
  const int64_t results = dims.batch * grid.n_windows * grid.m_windows;
  kernel.windows.last_write =
      Scaled(kernel.hbm_write,
             static_cast<double>(std::min(cores, results)) / static_cast<double>(results));
  if (dims.rhs_on_chip) HideEnds(kernel);
}

}  // namespace tilewise
