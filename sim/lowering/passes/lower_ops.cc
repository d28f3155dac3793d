// Pass 7: the matrix, vector and memory work of every kernel. Values in HBM are
// counted with their padding, each once; re-reads come with the tiles. When
// `fuse` did not run, every op with a cost becomes a kernel first.

#include <algorithm>

#include "base/math.h"
#include "sim/lowering/kernels/op_work.h"
#include "sim/lowering/passes/kernel_graph.h"
#include "sim/lowering/passes/passes.h"

namespace tilewise {
namespace {

bool Has(const std::vector<OpId>& ids, OpId id) {
  return std::binary_search(ids.begin(), ids.end(), id);
}

class KernelLowering {
 public:
  KernelLowering(const OpContext& context, const Target& target)
      : context_(context), target_(target) {}

  void Fill(Kernel& kernel) const {
    AddWork(kernel);
    AddTraffic(kernel);
    const Op& root = context_.program.graph.op(kernel.root);
    switch (kernel.kind) {
      case KernelKind::kIndexed:
        SetRowTraffic(kernel, root);
        break;
      case KernelKind::kRecurrent:
        SplitIntoTrips(kernel, root);
        break;
      case KernelKind::kCollective:
        SetContribution(kernel);
        break;
      default:
        break;
    }
  }

 private:
  const Op& op(OpId id) const { return context_.program.graph.op(id); }

  void AddWork(Kernel& kernel) const {
    for (const OpId id : kernel.ops) {
      const OpWork work = LowerOp(context_, op(id));
      kernel.vector = kernel.vector + work.vector;
      if (work.matrix.weight_tiles > 0) kernel.matrix = work.matrix;
    }
    for (const OpId id : kernel.inputs) {
      kernel.vector.loads += context_.registers(op(id));
    }
    for (const OpId id : kernel.outputs) {
      kernel.vector.stores += context_.registers(op(id));
    }
  }

  void AddTraffic(Kernel& kernel) const {
    for (const OpId id : kernel.inputs) kernel.hbm_read += Read(kernel, id);
    for (const OpId id : kernel.outputs) {
      kernel.hbm_write += context_.padded(op(id));
    }
  }

  // A value that the kernel only slices is read where it is sliced.
  Bytes Read(const Kernel& kernel, OpId id) const {
    const Bytes whole = context_.padded(op(id));
    Bytes sliced;
    for (const OpId user : context_.program.graph.users(id)) {
      if (!Has(kernel.ops, user)) continue;
      if (op(user).kind != OpKind::kSlice) return whole;
      sliced += context_.padded(op(user));
    }
    return std::min(whole, sliced);
  }

  // Rows are moved one by one; each is contiguous only within its tiles.
  void SetRowTraffic(Kernel& kernel, const Op& root) const {
    const bool is_gather = root.kind == OpKind::kGather;
    const Op& indices = context_.operand(root, is_gather ? 1 : 0);
    const Op& table = is_gather ? context_.operand(root, 0) : root;
    if (table.shape.rank() == 0 || table.shape.size(0) == 0) return;
    const int64_t row_bytes = std::max<int64_t>(
        1, context_.padded(table).value /
               PaddedSize(table.shape, context_.layout(table.id), 0));
    const Bytes rows = Bytes{row_bytes} * indices.shape.elements();
    const Layout& layout = context_.layout(table.id);
    int64_t run = row_bytes;
    if (layout.tile_sublanes > 1) {
      run = std::min(run, layout.tile_lanes * BitWidth(table.shape.dtype) / 8);
    }
    kernel.dma_row_efficiency =
        std::min(1.0, static_cast<double>(run) /
                          static_cast<double>(context_.chip.dma_min_row_bytes));
    if (is_gather) {
      const Bytes table_bytes = context_.padded(table);
      if (Has(kernel.inputs, table.id)) kernel.hbm_read -= table_bytes;
      kernel.hbm_read += rows;
    } else {
      kernel.hbm_read += rows;
      kernel.hbm_write += rows;
    }
  }

  // Fields of a device loop are those of one trip. The recurrent weights stay
  // in VMEM over the trips when half of the window budget holds them.
  void SplitIntoTrips(Kernel& kernel, const Op& root) const {
    const int64_t trips = std::max<int64_t>(1, root.shape.size(1));
    const Bytes weights = context_.padded(context_.operand(root, 1));
    const bool stays = 2 * weights <= context_.chip.vmem_window_budget;
    const Bytes streamed = std::max(Bytes{0}, kernel.hbm_read - weights);
    kernel.repeat = trips;
    kernel.hbm_read = {CeilDiv(streamed.value, trips) +
                       (stays ? CeilDiv(weights.value, trips) : weights.value)};
    kernel.hbm_write = {CeilDiv(kernel.hbm_write.value, trips)};
    kernel.vector.loads /= static_cast<double>(trips);
    kernel.vector.stores /= static_cast<double>(trips);
  }

  void SetContribution(Kernel& kernel) const {
    kernel.participants = target_.cores;
    kernel.collective_bytes = kernel.hbm_write;
  }

  const OpContext& context_;
  const Target& target_;
};

}  // namespace

absl::Status RunLowerOps(Program& program, const LoweringContext& context) {
  const Chip& chip = context.target.chip;
  if (program.kernels.empty()) {
    program.kernels = MakeKernels(program, chip, GroupSingly(program, chip));
  }
  const OpContext op_context{program, chip};
  const KernelLowering lowering(op_context, context.target);
  for (Kernel& kernel : program.kernels) lowering.Fill(kernel);
  return absl::OkStatus();
}

}  // namespace tilewise
