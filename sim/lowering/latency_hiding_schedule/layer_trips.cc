// XLA schedules the body of a loop as a program of its own: a collective begins
// and ends in the same iteration. So the first weights of a layer are gathered
// while nothing else runs (MaxText says so of its own layers: its pull request
// 4493), and so are its last gradients scattered. The pass that moves gathers
// over the loop's edge does so between slices only
// (xla_tpu_enable_ag_backward_pipelining in MaxText's list of flags).

#include "sim/lowering/latency_hiding_schedule/layer_trips.h"

#include <algorithm>
#include <utility>
#include <vector>

#include <absl/container/flat_hash_map.h>

#include "hardware/torus.h"

namespace tilewise {
namespace {

// Returns for each op whether it is an activation or a gradient: made of data, and of weights too
// where the data is of whole numbers. Casts of weights, masks and tables of positions are none.
std::vector<bool> FindActivations(const Graph& graph) {
  std::vector<bool> of_data, of_weights, found;
  for (const Op& op : graph.ops()) {
    bool data = op.kind == OpKind::kParameter, weights = op.kind == OpKind::kVariable;
    bool activation = data && IsFloat(op.shape.dtype);
    for (const OpId operand : op.operands) {
      data = data || of_data[operand];
      weights = weights || of_weights[operand];
      activation = activation || found[operand];
    }
    of_data.push_back(data);
    of_weights.push_back(weights);
    found.push_back(activation || (data && weights));
  }
  return found;
}

class IterationFormer {
 public:
  IterationFormer(Program& program, const XlaFlags& flags, const Target& target)
      : program_(program),
        flags_(flags),
        target_(target),
        is_activation_(FindActivations(program.graph)) {}

  void Run() {
    NumberKernels();
    if (trips_.empty()) return;
    NumberBeside();
    MoveCopies();
  }

 private:
  EnclosingLoop LoopOf(const Kernel& kernel) const { return program_.graph.op(kernel.root).loop; }

  // An iteration begins with the first kernel of its layer that reads activations. Another that
  // comes early, or one that comes late, is part of the iteration that it stands in.
  void NumberKernels() {
    int32_t iteration = 0;
    for (Kernel& kernel : program_.kernels) {
      if (kernel.overlappable || kernel.phase == Phase::kUpdate) continue;
      const EnclosingLoop loop = LoopOf(kernel);
      if (!loop.is_one_trip()) continue;
      const bool begins = ReadsActivations(kernel) && !trips_.contains(loop.id);
      if (begins) trips_[loop.id] = ++iteration;
      kernel.iteration = iteration;
    }
  }

  bool ReadsActivations(const Kernel& kernel) const {
    return std::any_of(kernel.inputs.begin(), kernel.inputs.end(),
                       [&](OpId id) { return is_activation_[id]; });
  }

  bool MayCross(const Kernel& kernel) const {
    if (kernel.kind == KernelKind::kHostCopy) return flags_.copies_across_trips;
    if (!flags_.slice_gathers_across_trips || kernel.collective != OpKind::kAllGather) {
      return false;
    }
    return FindGroup(target_, kernel.mesh_axis, kernel.participants).slices > 1;
  }

  static bool IsForReader(const Kernel& kernel) {
    return kernel.kind == KernelKind::kHostCopy ? !kernel.goes_to_host()
                                                : kernel.collective == OpKind::kAllGather;
  }

  // What goes to the host may be kept for another layer than the one that makes
  // it, which is the next one's input.
  int32_t IterationOfCopy(const Kernel& kernel, int32_t now) const {
    const auto found = trips_.find(LoopOf(kernel).id);
    return found == trips_.end() ? now : std::max(now, found->second);
  }

  void NumberBeside() {
    std::vector<int32_t> of_reader(program_.graph.size());
    for (size_t k = program_.kernels.size(); k-- > 0;) {
      Kernel& kernel = program_.kernels[k];
      if (kernel.overlappable && IsForReader(kernel) && !MayCross(kernel)) {
        for (const OpId id : kernel.outputs) {
          kernel.iteration = std::max(kernel.iteration, of_reader[id]);
        }
      }
      for (const OpId id : kernel.inputs) {
        of_reader[id] = kernel.iteration;
      }
    }
    int32_t iteration = 0;
    for (Kernel& kernel : program_.kernels) {
      if (!kernel.overlappable) {
        if (kernel.iteration > 0) iteration = kernel.iteration;
      } else if (!IsForReader(kernel) && !MayCross(kernel)) {
        kernel.iteration = kernel.goes_to_host() ? IterationOfCopy(kernel, iteration) : iteration;
      }
    }
  }

  // Returns the kernel that reads each value first.
  std::vector<KernelId> FirstReaders() const {
    std::vector<KernelId> readers(program_.graph.size());
    for (KernelId k(program_.kernels.size()); k > 0;) {
      --k;
      for (const OpId id : program_.kernels[k].inputs) readers[id] = k;
    }
    return readers;
  }

  // Moves the copies of an iteration into the order in which they are needed:
  // they share a link.
  void MoveCopies() {
    const std::vector<KernelId> readers = FirstReaders();
    const auto reader_of = [&readers](const Kernel& copy) { return readers[copy.outputs.front()]; };
    std::vector<Kernel> ordered;
    std::vector<Kernel> waiting;
    int32_t iteration = 0;
    for (Kernel& kernel : program_.kernels) {
      const bool waits = kernel.kind == KernelKind::kHostCopy && kernel.iteration > iteration;
      if (waits) {
        waiting.push_back(std::move(kernel));
        continue;
      }
      if (!kernel.overlappable && kernel.iteration > iteration) {
        iteration = kernel.iteration;
        std::stable_sort(waiting.begin(), waiting.end(), [&](const Kernel& a, const Kernel& b) {
          return reader_of(a) < reader_of(b);
        });
        for (Kernel& copy : waiting) {
          if (copy.iteration <= iteration) ordered.push_back(std::move(copy));
        }
        std::erase_if(waiting,
                      [iteration](const Kernel& copy) { return copy.iteration <= iteration; });
      }
      ordered.push_back(std::move(kernel));
    }
    TW_CHECK(waiting.empty());  // each iteration has a kernel that begins it
    program_.kernels = std::move(ordered);
  }

  Program& program_;
  const XlaFlags& flags_;
  const Target& target_;
  const std::vector<bool> is_activation_;        // by op
  absl::flat_hash_map<int32_t, int32_t> trips_;  // by number of the loop
};

}  // namespace

void FormIterations(Program& program, const XlaFlags& flags, const Target& target) {
  IterationFormer(program, flags, target).Run();
}

}  // namespace tilewise
