// What loops over layers keep in memory.

#pragma once

#include <map>
#include <utility>
#include <vector>

#include "sim/lowering/program.h"

namespace tilewise {

// These are loops of which the program has each iteration (EnclosingLoop). XLA runs them as loops:
// what an iteration keeps for its gradients lies in arrays over all layers, which the gradient loop
// reads to its end; gradients of weights fill arrays that are there from the start of that loop.
// Collectives and copies run far ahead within an iteration of it, so that all that it makes is in
// memory to its end, where there is room (docs/model/memory.md).
class LayerLoops {
 public:
  explicit LayerLoops(const Program& program);

  bool empty() const { return spans_.empty(); }
  // The last kernel of all of them; none: there is no loop.
  KernelId End() const;
  // The last kernel of the loop that reads the array which `value` is a part of;
  // none: it is no part of one.
  KernelId ReadTo(OpId value) const;
  // The first kernel of the loop that fills the array of gradients.
  KernelId FilledFrom(OpId value) const;
  // The kernel to which a copy to the host of the last iteration forward reads its source, where
  // copies run into the next iteration: that is the first one of the gradient loop. None: others.
  KernelId CopiedTo(const Kernel& copy) const;
  // The last kernel of the iteration of a gradient loop that `kernel` is in; of
  // its layer, where the iteration has several.
  KernelId IterationEnd(KernelId kernel) const;

 private:
  struct Span {
    KernelId first, last;
  };
  void NoteRead(OpId value, const Kernel& reader);

  const Program& program_;
  std::map<int32_t, Span> spans_;               // of gradient loops, by first iteration
  std::map<int32_t, int32_t> last_iterations_;  // of loops forward, by first iteration
  // This is the last kernel of each iteration and layer of it.
  std::map<std::pair<int32_t, int32_t>, KernelId> iterations_;
  std::vector<bool> is_stacked_, is_summed_;  // by op
};

}  // namespace tilewise
