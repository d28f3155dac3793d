// Pass lower_ops: the matrix, vector and memory work of every kernel. Values in
// HBM are counted with their padding, each once; re-reads come with the tiles.
// When `fuse` did not run, every op with a cost becomes a kernel first.

#include <algorithm>
#include <optional>

#include "base/math.h"
#include "sim/lowering/fusion/kernel_graph.h"
#include "sim/lowering/kernels/half_float.h"
#include "sim/lowering/kernels/op_work.h"
#include "sim/lowering/kernels/root_of_kernel.h"
#include "sim/lowering/lowering_traits.h"
#include "sim/lowering/passes.h"

namespace tilewise {
namespace {

bool HasSortedId(const std::vector<OpId>& ids, OpId id) {
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
    const LoweringTraits& traits = LoweringTraitsOf(root.kind);
    if (traits.set_traffic != nullptr && kernel.kind == traits.kernel) {
      traits.set_traffic({context_, root, target_.cores}, kernel);
    }
    kernel.repeat *= IterationsAround(root);
  }

 private:
  // What a loop carries is written once, before its first iteration.
  int64_t IterationsAround(const Op& root) const {
    return EntersLoop(context_, root) ? context_.operand(root, 0).loop.trip_count
                                      : root.loop.trip_count;
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
      if (!HasSortedId(kernel.ops, user)) continue;
      const Op& use = op(user);
      if (use.operands[0] != id) return std::nullopt;
      if (use.kind == OpKind::kBarrier) {
        const std::optional<Bytes> behind = Sliced(kernel, user);
        if (!behind) return std::nullopt;
        sliced += *behind;
      } else if (use.kind == OpKind::kSlice || use.kind == OpKind::kDynamicSlice) {
        sliced += context_.padded(use);
      } else {
        return std::nullopt;
      }
    }
    return sliced;
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
