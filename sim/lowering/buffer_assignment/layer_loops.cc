// Kernels of gradient loops are known by the loop of their root, and those of an
// iteration by its number, which the schedule gives them.

#include "sim/lowering/buffer_assignment/layer_loops.h"

#include <algorithm>

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
      // What is copied or gathered ahead for the first iteration does not begin the loop.
      Span& span = spans_[root.loop.first];
      if (span.first < 0 && !kernel.overlappable) span.first = k;
      span.last = k;
    }
    if (root.loop.is_one_trip() && root.phase == Phase::kForward) {
      int32_t& last = last_iterations_[root.loop.first];
      last = std::max(last, root.loop.id);
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

KernelId LayerLoops::End() const {
  KernelId end;
  for (const auto& [first, span] : spans_) end = std::max(end, span.last);
  return end;
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

KernelId LayerLoops::CopiedTo(const Kernel& copy) const {
  const EnclosingLoop& loop = program_.graph.op(copy.root).loop;
  const auto last = last_iterations_.find(loop.first);
  const auto span = spans_.find(loop.first);
  const bool is_of_last = loop.is_one_trip() && last != last_iterations_.end() &&
                          last->second == loop.id && span != spans_.end();
  return is_of_last ? span->second.first : KernelId();
}

KernelId LayerLoops::IterationEnd(KernelId kernel) const {
  const Kernel& at = program_.kernels[kernel];
  const auto found = iterations_.find({at.iteration, program_.graph.op(at.root).loop.layer});
  return found == iterations_.end() ? KernelId() : found->second;
}

}  // namespace tilewise
