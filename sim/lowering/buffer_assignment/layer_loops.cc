// Kernels of gradient loops are known by the loop of their root, and those of an
// iteration by its number, which the schedule gives them.

#include "sim/lowering/buffer_assignment/layer_loops.h"

namespace tilewise {
namespace {

// What is gathered for the gradients of a layer has the loop of its weights.
bool IsOfGradientLoop(const Op& op) {
  return op.loop.is_one_trip() && op.phase == Phase::kBackward;
}

}  // namespace

LayerLoops::LayerLoops(const Program& program)
    : program_(program), is_stacked_(program.graph.size()), is_summed_(program.graph.size()) {
  for (KernelId k = 0; k < program.kernels.size(); ++k) {
    const Kernel& kernel = program.kernels[k];
    const Op& root = program.graph.op(kernel.root);
    if (IsOfGradientLoop(root)) {
      if (kernel.iteration > 0) iterations_[{kernel.iteration, root.loop.layer}] = k;
      spans_.try_emplace(root.loop.first, Span{k, k}).first->second.last = k;
    }
    for (const OpId id : kernel.inputs) NoteRead(id, kernel);
  }
}

void LayerLoops::NoteRead(OpId value, const Kernel& reader) {
  const Op& made = program_.graph.op(value);
  if (!made.loop.is_one_trip()) return;
  const bool is_of_loop = IsOfGradientLoop(program_.graph.op(reader.root));
  if (made.phase == Phase::kForward && is_of_loop) is_stacked_[value] = true;
  if (made.phase == Phase::kBackward && reader.phase == Phase::kUpdate) is_summed_[value] = true;
}

KernelId LayerLoops::ReadTo(OpId value) const {
  if (!is_stacked_[value]) return {};
  const auto span = spans_.find(program_.graph.op(value).loop.first);
  return span == spans_.end() ? KernelId() : span->second.last;
}

KernelId LayerLoops::FilledFrom(OpId value) const {
  if (!is_summed_[value]) return {};
  const auto span = spans_.find(program_.graph.op(value).loop.first);
  return span == spans_.end() ? KernelId() : span->second.first;
}

KernelId LayerLoops::IterationEnd(KernelId kernel) const {
  const Kernel& at = program_.kernels[kernel];
  const auto found = iterations_.find({at.iteration, program_.graph.op(at.root).loop.layer});
  return found == iterations_.end() ? KernelId() : found->second;
}

}  // namespace tilewise
