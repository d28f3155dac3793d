// Pass schedule: the issue order. Small sums are combined where the compiler
// does so; gradients are summed and variables updated as soon as they can be,
// which frees the gradients early; everything else keeps its order. A variable
// is not overwritten before its last reader. Collectives that the chip's
// compiler makes asynchronous run beside kernels; gathers are issued as much
// ahead of their use as they take. Buffers are placed again for the new order.

#include <algorithm>
#include <utility>

#include "graph/topological_order.h"
#include "hardware/mesh.h"
#include "sim/lowering/passes/all_reduce_buckets.h"
#include "sim/lowering/passes/gathers_ahead.h"
#include "sim/lowering/passes/live_ranges.h"
#include "sim/lowering/passes/passes.h"

namespace tilewise {
namespace {

using Edges = std::vector<std::pair<int32_t, int32_t>>;

// Kernel that writes each value; -1 for none.
std::vector<int32_t> Writers(const Program& program) {
  std::vector<int32_t> writer(static_cast<size_t>(program.graph.size()), -1);
  for (size_t k = 0; k < program.kernels.size(); ++k) {
    for (const OpId id : program.kernels[k].outputs) {
      writer[static_cast<size_t>(id)] = static_cast<int32_t>(k);
    }
  }
  return writer;
}

Edges DataEdges(const Program& program, const std::vector<int32_t>& writer) {
  Edges edges;
  for (size_t k = 0; k < program.kernels.size(); ++k) {
    for (const OpId id : program.kernels[k].inputs) {
      const int32_t from = writer[static_cast<size_t>(id)];
      if (from >= 0) edges.emplace_back(from, static_cast<int32_t>(k));
    }
  }
  return edges;
}

// The kernel that writes what `id` is made of by bitcasts or within a kernel;
// -1 for none.
int32_t WriterBehind(const Graph& graph, const std::vector<int32_t>& writer,
                     OpId id) {
  while (writer[static_cast<size_t>(id)] < 0 &&
         !graph.op(id).operands.empty()) {
    id = graph.op(id).operands[0];
  }
  return writer[static_cast<size_t>(id)];
}

// To the kernels behind barriers, and copies from the host, from what they wait
// for.
void AddWaits(const Program& program, const std::vector<int32_t>& writer,
              Edges& edges) {
  const Graph& graph = program.graph;
  for (size_t k = 0; k < program.kernels.size(); ++k) {
    const auto waiting = static_cast<int32_t>(k);
    for (const OpId id : program.kernels[k].ops) {
      const Op& op = graph.op(id);
      if (op.kind != OpKind::kBarrier && op.kind != OpKind::kCopyFromHost) {
        continue;
      }
      for (size_t i = 1; i < op.operands.size(); ++i) {
        const int32_t from = WriterBehind(graph, writer, op.operands[i]);
        if (from >= 0 && from != waiting) edges.emplace_back(from, waiting);
      }
    }
  }
}

// From every reader of a variable to the kernel that overwrites it.
Edges OverwriteEdges(const Program& program,
                     const std::vector<int32_t>& writer) {
  std::vector<int32_t> overwriter(writer.size(), -1);
  for (const Output& output : program.graph.outputs()) {
    if (output.role != Output::Role::kState) continue;
    overwriter[static_cast<size_t>(output.variable)] =
        writer[static_cast<size_t>(output.value)];
  }
  Edges edges;
  for (size_t k = 0; k < program.kernels.size(); ++k) {
    const auto reader = static_cast<int32_t>(k);
    for (const OpId id : program.kernels[k].inputs) {
      const int32_t to = overwriter[static_cast<size_t>(id)];
      if (to >= 0 && to != reader) edges.emplace_back(reader, to);
    }
  }
  return edges;
}

bool IsAsync(const Kernel& kernel, const Chip& chip) {
  if (kernel.kind == KernelKind::kHostCopy) return true;
  if (kernel.kind != KernelKind::kCollective) return false;
  switch (kernel.exchange) {
    case OpKind::kAllGather:
    case OpKind::kCollectivePermute:
      return chip.async_all_gather;
    default:
      return chip.async_all_reduce;
  }
}

// A value that tensor parallelism keeps in parts.
bool IsShared(const Kernel& kernel) {
  return kernel.overlappable && kernel.exchange == OpKind::kAllGather &&
         kernel.phase != Phase::kUpdate &&
         kernel.mesh_axis == MeshAxisName(MeshAxis::kTensor);
}

// Of a weight or activation; what an update gathers is urgent as the update is.
bool IsGather(const Kernel& kernel) {
  return kernel.kind == KernelKind::kCollective &&
         kernel.exchange == OpKind::kAllGather &&
         kernel.phase != Phase::kUpdate;
}

bool IsCopyToHost(const Kernel& kernel) {
  return kernel.kind == KernelKind::kHostCopy && kernel.hbm_read > Bytes{};
}

// By kernel: copies to the host, and what is made for them alone.
std::vector<bool> LeavesForHost(const Program& program) {
  std::vector<bool> stays(static_cast<size_t>(program.graph.size()));
  for (const Output& output : program.graph.outputs()) {
    stays[static_cast<size_t>(output.value)] = true;
  }
  std::vector<bool> leaves(program.kernels.size());
  for (size_t k = program.kernels.size(); k-- > 0;) {
    const Kernel& kernel = program.kernels[k];
    leaves[k] = IsCopyToHost(kernel) ||
                std::none_of(kernel.outputs.begin(), kernel.outputs.end(),
                             [&stays](OpId id) {
                               return stays[static_cast<size_t>(id)];
                             });
    if (leaves[k]) continue;
    for (const OpId id : kernel.inputs) stays[static_cast<size_t>(id)] = true;
  }
  return leaves;
}

// What leaves for the host does so as soon as it can. A gather of activations
// gives way to all that could run beside it.
int Urgency(const Kernel& kernel, bool leaves) {
  if (kernel.phase == Phase::kUpdate || leaves) return 0;
  if (kernel.kind != KernelKind::kCollective) return 2;
  return IsGather(kernel) ? 3 : 1;
}

// Kernels by urgency, then as they stand.
std::vector<int32_t> MostUrgentFirst(const Program& program) {
  const std::vector<bool> leaves = LeavesForHost(program);
  std::vector<int32_t> order;
  for (size_t k = 0; k < program.kernels.size(); ++k) {
    order.push_back(static_cast<int32_t>(k));
  }
  const auto urgency = [&](int32_t k) {
    const auto i = static_cast<size_t>(k);
    return Urgency(program.kernels[i], leaves[i]);
  };
  std::stable_sort(order.begin(), order.end(), [&](int32_t a, int32_t b) {
    return urgency(a) < urgency(b);
  });
  return order;
}

enum class Source : uint8_t { kWeights, kGatheredWeights, kInputs };

// By value, before anything is gathered.
std::vector<Source> SourcesOfValues(const Graph& graph) {
  std::vector<Source> sources;
  sources.reserve(static_cast<size_t>(graph.size()));
  for (const Op& op : graph.ops()) {
    Source source =
        op.kind == OpKind::kParameter ? Source::kInputs : Source::kWeights;
    for (const OpId operand : op.operands) {
      source = std::max(source, sources[static_cast<size_t>(operand)]);
    }
    sources.push_back(source);
  }
  return sources;
}

// By kernel: gathers of weights, what goes into them, and what is made of
// gathered weights alone, as their quantised form is.
std::vector<bool> WaitForDemand(const Program& program) {
  std::vector<Source> sources = SourcesOfValues(program.graph);
  std::vector<Source> of_kernel;
  for (const Kernel& kernel : program.kernels) {
    Source source =
        kernel.phase == Phase::kUpdate ? Source::kInputs : Source::kWeights;
    for (const OpId id : kernel.inputs) {
      source = std::max(source, sources[static_cast<size_t>(id)]);
    }
    if (IsGather(kernel)) source = std::max(source, Source::kGatheredWeights);
    for (const OpId id : kernel.outputs) {
      sources[static_cast<size_t>(id)] = source;
    }
    of_kernel.push_back(source);
  }
  std::vector<bool> wait(program.kernels.size());
  std::vector<bool> is_gathered(sources.size());
  for (size_t k = program.kernels.size(); k-- > 0;) {
    const Kernel& kernel = program.kernels[k];
    const bool goes_into_gather =
        of_kernel[k] == Source::kWeights &&
        std::any_of(kernel.outputs.begin(), kernel.outputs.end(),
                    [&is_gathered](OpId id) {
                      return is_gathered[static_cast<size_t>(id)];
                    });
    wait[k] = of_kernel[k] == Source::kGatheredWeights || goes_into_gather;
    if (!goes_into_gather && !(wait[k] && IsGather(kernel))) continue;
    for (const OpId id : kernel.inputs) {
      is_gathered[static_cast<size_t>(id)] = true;
    }
  }
  return wait;
}

// What waits for demand could be first and is not: its result takes memory
// until it is used. It has no say in the order of the others, and stands before
// the first that needs it.
class OnDemand {
 public:
  OnDemand(const Program& program, const Edges& edges)
      : waits_(WaitForDemand(program)),
        before_(program.kernels.size()),
        behind_(program.kernels.size()) {
    for (const auto& [from, to] : edges) {
      if (waits(to)) before_[Index(to)].push_back(from);
      if (waits(from)) behind_[Index(from)].push_back(to);
    }
  }

  // Those of the others, and through what waits.
  Edges OfOthers(const Edges& edges) {
    Edges others;
    for (const auto& [from, to] : edges) {
      if (waits(to)) continue;
      if (!waits(from)) {
        others.emplace_back(from, to);
        continue;
      }
      for (const int32_t source : SourcesOf(from)) {
        others.emplace_back(source, to);
      }
    }
    return others;
  }

  // `order` of all kernels with those that wait where they belong.
  std::vector<int32_t> Insert(const std::vector<int32_t>& order) {
    const auto count = static_cast<int32_t>(order.size());
    places_.assign(order.size(), kUnknown);
    for (int32_t i = 0; i < count; ++i) {
      if (!waits(order[Index(i)])) places_[Index(order[Index(i)])] = i;
    }
    std::vector<std::vector<int32_t>> waiting(order.size() + 1);  // by place
    for (int32_t k = 0; k < count; ++k) {
      if (waits(k)) waiting[Index(PlaceOf(k))].push_back(k);
    }
    std::vector<int32_t> whole;
    for (int32_t i = 0; i <= count; ++i) {
      const auto& here = waiting[Index(i)];
      whole.insert(whole.end(), here.begin(), here.end());
      if (i < count && !waits(order[Index(i)])) {
        whole.push_back(order[Index(i)]);
      }
    }
    return whole;
  }

 private:
  static constexpr int32_t kUnknown = -1;
  static size_t Index(int32_t k) { return static_cast<size_t>(k); }
  bool waits(int32_t k) const { return waits_[Index(k)]; }

  // The others that `k` needs; found once.
  const std::vector<int32_t>& SourcesOf(int32_t k) {
    std::vector<int32_t>& sources = before_[Index(k)];
    if (is_resolved_[Index(k)]) return sources;
    is_resolved_[Index(k)] = true;
    std::vector<int32_t> found;
    for (const int32_t from : sources) {
      if (waits(from)) {
        const std::vector<int32_t>& behind = SourcesOf(from);
        found.insert(found.end(), behind.begin(), behind.end());
      } else {
        found.push_back(from);
      }
    }
    std::sort(found.begin(), found.end());
    found.erase(std::unique(found.begin(), found.end()), found.end());
    sources = std::move(found);
    return sources;
  }

  // The number in the order of the first of the others that needs `k`.
  int32_t PlaceOf(int32_t k) {
    int32_t& place = places_[Index(k)];
    if (place != kUnknown) return place;
    auto first = static_cast<int32_t>(places_.size());
    for (const int32_t to : behind_[Index(k)]) {
      first = std::min(first, PlaceOf(to));
    }
    place = first;
    return place;
  }

  std::vector<bool> waits_;
  std::vector<std::vector<int32_t>> before_, behind_;  // of these alone
  std::vector<bool> is_resolved_ = std::vector<bool>(waits_.size());
  std::vector<int32_t> places_;
};

// Kernel numbers in an order that keeps to `edges`; none when they go round.
std::vector<int32_t> Sorted(const Program& program,
                            const std::vector<int32_t>& urgent,
                            const Edges& edges) {
  std::vector<int32_t> rank(urgent.size());
  for (size_t i = 0; i < urgent.size(); ++i) {
    rank[static_cast<size_t>(urgent[i])] = static_cast<int32_t>(i);
  }
  OnDemand on_demand(program, edges);
  Edges ranked = on_demand.OfOthers(edges);
  for (auto& [from, to] : ranked) {
    from = rank[static_cast<size_t>(from)];
    to = rank[static_cast<size_t>(to)];
  }
  const TopologicalOrder sorted =
      OrderTopologically(static_cast<int32_t>(rank.size()), ranked);
  if (!sorted.cycle.empty()) return {};
  std::vector<int32_t> order;
  for (const int32_t at : sorted.order) {
    order.push_back(urgent[static_cast<size_t>(at)]);
  }
  return on_demand.Insert(order);
}

std::vector<int32_t> IssueOrder(const Program& program) {
  const std::vector<int32_t> writer = Writers(program);
  const std::vector<int32_t> urgent = MostUrgentFirst(program);
  Edges edges = DataEdges(program, writer);
  AddWaits(program, writer, edges);
  const Edges data_only = edges;
  const Edges overwrites = OverwriteEdges(program, writer);
  edges.insert(edges.end(), overwrites.begin(), overwrites.end());
  std::vector<int32_t> order = Sorted(program, urgent, edges);
  // A reader that needs the new value of its variable: that one then gets a
  // buffer of its own.
  if (order.empty()) order = Sorted(program, urgent, data_only);
  TW_CHECK(order.size() == program.kernels.size());
  return order;
}

void Reorder(Program& program) {
  std::vector<Kernel> ordered;
  ordered.reserve(program.kernels.size());
  for (const int32_t k : IssueOrder(program)) {
    ordered.push_back(std::move(program.kernels[static_cast<size_t>(k)]));
  }
  program.kernels = std::move(ordered);
}

}  // namespace

absl::Status RunSchedule(Program& program, const LoweringContext& context) {
  if (context.options.compiler.combines_all_reduces) {
    Reorder(program);  // sums are combined as they come
    CombineAllReduces(program, context.target.chip);
  }
  for (Kernel& kernel : program.kernels) {
    kernel.overlappable = IsAsync(kernel, context.target.chip);
    kernel.in_pieces =
        context.options.xla_flags.gathers_in_pieces && IsShared(kernel);
  }
  Reorder(program);
  IssueGathersAhead(program, context.target);
  AssignBuffers(program, context.target.chip);
  return absl::OkStatus();
}

}  // namespace tilewise
