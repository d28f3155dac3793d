// Each dying operand is given to the first result that may take it.

#include "sim/lowering/buffer_assignment/in_place.h"

#include <algorithm>

#include "sim/lowering/buffer_assignment/buffer_index.h"

namespace tilewise {
namespace {

class Reuse {
 public:
  explicit Reuse(Program& program)
      : program_(program), index_(program), given_(program.buffers.size()) {}

  void Run() {
    // What is there when the last kernel ends may be a result of the step.
    for (KernelId k = 0; k + 1 < program_.kernels.size(); ++k) {
      const Kernel& kernel = program_.kernels[k];
      for (const OpId result : kernel.outputs) Place(kernel, result, k);
    }
  }

 private:
  const Op& op(OpId id) const { return program_.graph.op(id); }

  void Place(const Kernel& kernel, OpId result, KernelId k) {
    const BufferId to = index_.WrittenAt(result, k);
    if (to < 0) return;
    Buffer& buffer = program_.buffers[to];
    if (buffer.never_in_hbm() || buffer.held_from >= 0 || buffer.padded.value == 0) return;
    for (const OpId operand : kernel.inputs) {
      const BufferId from = index_.ReadAt(operand, k);
      if (from < 0 || given_[from]) continue;
      const Buffer& dying = program_.buffers[from];
      if (dying.ends() != k || dying.padded != buffer.padded || dying.never_in_hbm() ||
          IsArgument(op(operand))) {
        continue;
      }
      if (!MayOverwrite(kernel, operand, result)) continue;
      given_[from] = true;
      buffer.in_place_of = from;
      return;
    }
  }

  // Compilers' reports of f32 logits have an array of f32 for their gradient
  // beside them.
  bool IsKept(OpId id) const { return op(id).kind == OpKind::kDot && op(id).as<DotAttrs>().wide; }

  bool MayOverwrite(const Kernel& kernel, OpId operand, OpId result) const {
    const Op& made = op(result);
    if (made.phase == Phase::kBackward && IsKept(operand)) return false;
    switch (kernel.kind) {
      case KernelKind::kLoop:
      case KernelKind::kMatrix:
        return LeadsElementwise(kernel, operand, result);
      case KernelKind::kCollective:
        return made.kind == OpKind::kAllReduce && made.operands[0] == operand;
      case KernelKind::kIndexed:
        return made.kind == OpKind::kScatterSlices && made.operands[0] == operand;
      case KernelKind::kCopy:
        return made.kind == OpKind::kDynamicUpdateSlice && made.operands[0] == operand;
      default:
        return false;
    }
  }

  // Whether all that the kernel does with `operand` is elementwise, and leads
  // to `result`.
  bool LeadsElementwise(const Kernel& kernel, OpId operand, OpId result) const {
    std::vector<OpId> reached = {operand};
    bool leads = false;
    for (size_t i = 0; i < reached.size(); ++i) {
      for (const OpId user : program_.graph.users(reached[i])) {
        if (!std::binary_search(kernel.ops.begin(), kernel.ops.end(), user)) {
          continue;
        }
        if (!KeepsPositions(op(user).kind)) return false;
        leads = leads || user == result;
        if (std::find(reached.begin(), reached.end(), user) == reached.end()) {
          reached.push_back(user);
        }
      }
    }
    return leads;
  }

  // Reshapes and transposes that are in such a kernel move no byte.
  static bool KeepsPositions(OpKind kind) {
    return ClassOf(kind) == OpClass::kElementwise || kind == OpKind::kReshape ||
           kind == OpKind::kTranspose || kind == OpKind::kBarrier;
  }

  Program& program_;
  const BufferIndex index_;
  std::vector<bool> given_;  // by buffer
};

}  // namespace

void ReuseDyingOperands(Program& program) {
  for (Buffer& buffer : program.buffers) buffer.in_place_of = {};
  Reuse(program).Run();
}

}  // namespace tilewise
