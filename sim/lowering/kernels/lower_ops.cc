// Pass lower_ops: the matrix, vector and memory work of every kernel. Values in
// HBM are counted with their padding, each once; re-reads come with the tiles.
// When `fuse` did not run, every op with a cost becomes a kernel first.

#include <algorithm>
#include <optional>

#include "base/math.h"
#include "sim/lowering/fusion/kernel_graph.h"
#include "sim/lowering/kernels/attention.h"
#include "sim/lowering/kernels/half_float.h"
#include "sim/lowering/kernels/indexed.h"
#include "sim/lowering/kernels/op_work.h"
#include "sim/lowering/kernels/sort.h"
#include "sim/lowering/passes.h"

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
        SetExchange(kernel, root);
        break;
      case KernelKind::kSort:
        SetSortTraffic(kernel, root);
        break;
      case KernelKind::kHostCopy:
        SetHostCopy(kernel, root);
        break;
      case KernelKind::kAttention:
        kernel.hbm_read += AttentionRereads(context_, root);
        kernel.hbm_write += AttentionUnusedResults(context_, root);
        break;
      case KernelKind::kReduce:
        if (root.kind == OpKind::kCumulative) SetScanTraffic(kernel, root);
        break;
      case KernelKind::kCopy:
        if (root.kind == OpKind::kDynamicUpdateSlice) SetInPlace(kernel, root);
        break;
      default:
        break;
    }
    kernel.repeat *= TripsAround(root);
  }

 private:
  // What a loop carries is written once, before its first trip.
  int64_t TripsAround(const Op& root) const {
    return EntersLoop(root) ? context_.operand(root, 0).loop.trips
                            : root.loop.trips;
  }

  bool EntersLoop(const Op& value) const {
    return value.kind == OpKind::kBarrier &&
           value.loop != context_.operand(value, 0).loop;
  }

  const Op& op(OpId id) const { return context_.program.graph.op(id); }

  // DMA alone makes a copy that keeps the layout.
  bool OnlyMoves(const Kernel& kernel) const {
    const Op& root = op(kernel.root);
    return kernel.ops.size() == 1 && root.kind == OpKind::kCopy &&
           context_.layout(root.id) == context_.layout(root.operands[0]);
  }

  void AddWork(Kernel& kernel) const {
    if (OnlyMoves(kernel) || kernel.kind == KernelKind::kHostCopy) return;
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
    kernel.vector = kernel.vector + HalfFloatWork(context_, kernel);
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
    return std::min(whole, Sliced(kernel, id).value_or(whole));
  }

  // What slices of the value take; nothing when it is used otherwise.
  std::optional<Bytes> Sliced(const Kernel& kernel, OpId id) const {
    Bytes sliced;
    for (const OpId user : context_.program.graph.users(id)) {
      if (!Has(kernel.ops, user)) continue;
      const Op& use = op(user);
      if (use.operands[0] != id) return std::nullopt;
      if (use.kind == OpKind::kBarrier) {
        const std::optional<Bytes> behind = Sliced(kernel, user);
        if (!behind) return std::nullopt;
        sliced += *behind;
      } else if (use.kind == OpKind::kSlice ||
                 use.kind == OpKind::kDynamicSlice) {
        sliced += context_.padded(use);
      } else {
        return std::nullopt;
      }
    }
    return sliced;
  }

  // Rows are moved one by one; each is contiguous only within its tiles.
  void SetRowTraffic(Kernel& kernel, const Op& root) const {
    const RowMoves moves = MovesOfIndexed(context_, root);
    if (moves.run == 0) return;
    kernel.dma_row_efficiency =
        std::min(1.0, static_cast<double>(moves.run) /
                          static_cast<double>(context_.chip.dma_min_row_bytes));
    if (TakesRows(root)) {
      const Op& table = context_.operand(root, 0);
      if (Has(kernel.inputs, table.id)) {
        kernel.hbm_read -= context_.padded(table);
        if (root.kind == OpKind::kGatherSlices) {
          kernel.vector.loads -= context_.registers(table);
        }
      }
      kernel.hbm_read += moves.bytes;
      return;
    }
    if (root.kind == OpKind::kScatterSlices) ScatterInPlace(kernel, root);
    if (!root.attrs->assign) kernel.hbm_read += moves.bytes;
    kernel.hbm_write += moves.bytes;
  }

  // The old value is copied to where rows are put, unless it may be
  // overwritten.
  void ScatterInPlace(Kernel& kernel, const Op& root) const {
    const OpId old = root.operands[0];
    if (InputFor(kernel, old) == kNoOp) return;
    if (!EntersLoop(op(old)) &&
        !(Has(kernel.inputs, old) && MayOverwrite(root, old))) {
      return;
    }
    const Bytes whole = context_.padded(root);
    kernel.hbm_read -= whole;
    kernel.hbm_write -= whole;
    kernel.vector.loads -= context_.registers(root);
    kernel.vector.stores -= context_.registers(root);
  }

  void SetSortTraffic(Kernel& kernel, const Op& root) const {
    const Op& x = context_.operand(root, 0);
    if (root.kind == OpKind::kTopK || x.shape.elements() == 0) return;
    const int64_t size = x.shape.size(root.attrs->dims[0]);
    const double passes = SortPasses(size, kernel.hbm_read,
                                     x.shape.elements() / size, context_.chip);
    kernel.hbm_read = {static_cast<int64_t>(
        passes * static_cast<double>(kernel.hbm_read.value))};
    kernel.hbm_write = {static_cast<int64_t>(
        passes * static_cast<double>(kernel.hbm_write.value))};
  }

  // One end of the copy is not in HBM.
  static void SetHostCopy(Kernel& kernel, const Op& root) {
    (root.kind == OpKind::kCopyToHost ? kernel.hbm_write
                                      : kernel.hbm_read) = {};
  }

  // Blocks of lanes x lanes are scanned; when there are several, their totals
  // are scanned in turn and added in a second pass (tpu-lowering 5).
  void SetScanTraffic(Kernel& kernel, const Op& root) const {
    const int64_t lanes = context_.chip.lanes;
    if (root.shape.size(root.attrs->dims[0]) <= lanes * lanes) return;
    kernel.hbm_read = 2 * kernel.hbm_read;
    kernel.hbm_write = 2 * kernel.hbm_write;
  }

  // Nothing else needs the old value of `root`: it has no other user, and is a
  // temporary or the variable that gets the result.
  bool MayOverwrite(const Op& root, OpId old) const {
    const Graph& graph = context_.program.graph;
    if (graph.users(old).size() > 1) return false;
    bool is_free =
        op(old).kind != OpKind::kParameter && op(old).kind != OpKind::kVariable;
    for (const Output& output : graph.outputs()) {
      if (output.value == root.id && output.variable == old) is_free = true;
      if (output.value == old) return false;
    }
    return is_free;
  }

  // The value in memory that the kernel reads for `id`, behind bitcasts.
  OpId InputFor(const Kernel& kernel, OpId id) const {
    while (!Has(kernel.inputs, id)) {
      if (op(id).operands.empty()) return kNoOp;
      id = op(id).operands[0];
    }
    return id;
  }

  // Only the new part is moved when the old value may be overwritten, as that
  // of a loop always may.
  void SetInPlace(Kernel& kernel, const Op& root) const {
    const OpId old = root.operands[0];
    if (InputFor(kernel, old) == kNoOp) return;
    if (!EntersLoop(op(old)) &&
        !(Has(kernel.inputs, old) && MayOverwrite(root, old))) {
      return;
    }
    const Bytes whole = context_.padded(root);
    const Bytes part = context_.padded(context_.operand(root, 1));
    kernel.hbm_read -= whole;
    kernel.hbm_write = kernel.hbm_write - whole + part;
    const double unmoved = context_.registers(root) -
                           context_.registers(context_.operand(root, 1));
    kernel.vector.loads -= context_.registers(root);
    kernel.vector.stores -= unmoved;
    kernel.vector.alu -= unmoved;
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
    for (const OpId id : kernel.inputs) {
      const bool is_whole = id == root.operands[1] && !stays;
      kernel.traffic.push_back({is_whole ? 1 : 1 / static_cast<double>(trips)});
    }
    kernel.vector.loads /= static_cast<double>(trips);
    kernel.vector.stores /= static_cast<double>(trips);
  }

  void SetExchange(Kernel& kernel, const Op& root) const {
    const int64_t group = root.attrs->group_size;
    kernel.exchange = root.kind;
    kernel.mesh_axis = root.attrs->axis;
    kernel.participants = group > 0 ? group : target_.cores;
    kernel.collective_bytes = std::max(kernel.hbm_read, kernel.hbm_write);
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
