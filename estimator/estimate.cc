// The least time each kernel can take: its work over the nameplate rate of
// every unit, the longest of which counts. Knows nothing of the simulator.

#include "estimator/estimate.h"

#include <algorithm>
#include <map>
#include <string>
#include <utility>

#include "hardware/torus.h"

namespace tilewise {
namespace {

Seconds MatrixTime(const MatrixWork& work, const Chip& chip) {
  const double rows = static_cast<double>(work.weight_tiles) *
                      static_cast<double>(work.rows_per_tile) * static_cast<double>(work.passes);
  const double rows_per_second =
      chip.mxu_rows_per_cycle * static_cast<double>(chip.mxus) * chip.clock_hz * work.rate;
  return {rows / rows_per_second};
}

// The units of the vector processor issue side by side.
Seconds VectorTime(const VectorWork& work, const Chip& chip) {
  const double cycles = std::max(
      {work.alu / chip.vector_alu_slots, work.transcendental / chip.transcendental_per_cycle,
       work.cross_lane * chip.cross_lane_cycles, work.loads / chip.vector_loads_per_cycle,
       work.stores / chip.vector_stores_per_cycle});
  return {cycles / chip.clock_hz};
}

// How often a byte leaves the chips that do not keep it; 0 where that depends
// on the way it takes.
double Sends(OpKind collective) {
  switch (collective) {
    case OpKind::kAllReduce:
      return 2;
    case OpKind::kAllGather:
    case OpKind::kReduceScatter:
      return 1;
    default:
      return 0;
  }
}

// Times collectives over the links that their groups of cores have, all at nameplate rates.
class Links {
 public:
  explicit Links(const Target& target) : target_(target) {}

  Seconds Time(const Kernel& kernel) {
    const CoreGroup& group = GroupOf(kernel);
    if (group.chips() < 2) return {};
    const auto chips = static_cast<double>(group.chips());
    return (Sends(kernel.collective) * (chips - 1) / chips / group.links(target_.chip)) *
           (kernel.collective_bytes / target_.chip.ici_link_bandwidth) *
           static_cast<double>(kernel.repeat);
  }

  // Collectives over one axis of the torus follow each other, those over others run beside them.
  void Add(const Kernel& kernel) {
    const Seconds time = Time(kernel);
    for (const TorusSpan& span : GroupOf(kernel).spans) {
      busy_.resize(std::max(busy_.size(), span.axis + 1));
      busy_[span.axis] += time;
    }
  }
  Seconds busiest() const { return busy_.empty() ? Seconds{} : *std::ranges::max_element(busy_); }

 private:
  const CoreGroup& GroupOf(const Kernel& kernel) {
    const auto [known, is_new] = groups_.try_emplace({kernel.mesh_axis, kernel.participants});
    if (is_new) known->second = FindGroup(target_, kernel.mesh_axis);
    if (is_new && known->second.cores() != kernel.participants) {
      known->second = FindGroup(target_, "", std::max<int64_t>(1, kernel.participants));
    }
    return known->second;
  }

  const Target& target_;
  std::map<std::pair<std::string, int64_t>, CoreGroup> groups_;
  std::vector<Seconds> busy_;  // by axis of the torus
};

KernelEstimate EstimateHostCopy(const Kernel& kernel, const Chip& chip) {
  KernelEstimate estimate;
  estimate.total = (kernel.hbm_read + kernel.hbm_write) / chip.host_link;
  return estimate;
}

KernelEstimate EstimateKernel(const Kernel& kernel, const Chip& chip, Links& links) {
  if (kernel.kind == KernelKind::kHostCopy) {
    return EstimateHostCopy(kernel, chip);
  }
  KernelEstimate estimate;
  const auto trips = static_cast<double>(kernel.repeat);
  estimate.compute = MatrixTime(kernel.matrix, chip) * trips;
  estimate.vector = VectorTime(kernel.vector, chip) * trips;
  estimate.memory = (kernel.from_hbm() + kernel.to_hbm()) / chip.hbm_bandwidth * trips;
  estimate.total =
      std::max({estimate.compute, estimate.vector, estimate.memory, links.Time(kernel)}) +
      chip.kernel_overhead * trips;
  return estimate;
}

// An argument that is copied from the host lies there.
bool IsInHbm(const Graph& graph, const Op& argument) {
  return std::ranges::none_of(graph.users(argument.id), [&](OpId user) {
    return graph.op(user).kind == OpKind::kCopyFromHost;
  });
}

// Arguments are there all along. What an iteration of a loop over layers makes and the loop of
// gradients reads is there when that one ends, and no kernel of a loop runs again.
Bytes LeastHbm(const Program& program, const Repetitions& how_often, const Chip& chip) {
  const Graph& graph = program.graph;
  const auto bytes = [&](const Op& op) {
    return PaddedBytes(op.shape, program.layouts[op.id], chip);
  };
  Bytes least;
  for (const Op& op : graph.ops()) {
    if (IsArgument(op) && IsInHbm(graph, op)) least += bytes(op) * how_often.ops[op.id];
  }
  std::vector<bool> is_kept(graph.ops().size());
  for (const Kernel& kernel : program.kernels) {
    const Op& root = graph.op(kernel.root);
    if (!root.loop.is_one_trip() || root.phase != Phase::kBackward) continue;
    for (const OpId id : kernel.inputs) is_kept[id] = true;
  }
  for (size_t k = 0; k < program.kernels.size(); ++k) {
    for (const OpId id : program.kernels[k].outputs) {
      const Op& op = graph.op(id);
      const bool counts = is_kept[id] && op.loop.is_one_trip() && op.phase == Phase::kForward &&
                          op.kind != OpKind::kCopyToHost;
      if (counts) least += bytes(op) * how_often.kernels[k];
    }
  }
  return std::max(Bytes{}, least - chip.promotion_room());
}

}  // namespace

Estimate EstimateProgram(const Program& program, const Target& target) {
  Estimate estimate;
  Seconds in_order;
  Links beside(target);  // which collectives that may overlap kernels go over
  Seconds to_host, from_host;
  for (const Kernel& kernel : program.kernels) {
    const KernelEstimate one = EstimateKernel(kernel, target.chip, beside);
    if (kernel.kind == KernelKind::kHostCopy) {
      (kernel.goes_to_host() ? to_host : from_host) += one.total;
    } else if (kernel.overlappable) {
      beside.Add(kernel);
    } else {
      in_order += one.total;
    }
    estimate.useful_flops += kernel.matrix.useful_flops * static_cast<double>(kernel.repeat);
    estimate.hbm_traffic += (kernel.from_hbm() + kernel.to_hbm()) * kernel.repeat;
    estimate.kernels.push_back(one);
  }
  estimate.step = std::max({in_order, beside.busiest(), to_host, from_host});
  estimate.hbm_peak = program.memory.peak;
  return estimate;
}

LeastNeeds LeastNeedsOf(const Program& program, const Repetitions& how_often,
                        const Target& target) {
  LeastNeeds least;
  for (size_t k = 0; k < program.kernels.size(); ++k) {
    const Kernel& kernel = program.kernels[k];
    // Collectives are merged later, and run beside kernels.
    const bool counts =
        kernel.kind != KernelKind::kCollective && kernel.kind != KernelKind::kHostCopy;
    if (!counts) continue;
    const Seconds work =
        std::max(MatrixTime(kernel.matrix, target.chip), VectorTime(kernel.vector, target.chip));
    const double times = static_cast<double>(kernel.repeat) * how_often.kernels[k];
    least.step += (work + target.chip.kernel_overhead) * times;
  }
  least.hbm = LeastHbm(program, how_often, target.chip);
  return least;
}

}  // namespace tilewise
