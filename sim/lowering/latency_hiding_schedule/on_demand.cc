// Marks what waits by where its inputs come from; then edges pass through it as
// if it were not there.

#include "sim/lowering/latency_hiding_schedule/on_demand.h"

#include <algorithm>

namespace tilewise {
namespace {

constexpr int32_t kUnknown = -1;

enum class WaitSource : uint8_t { kWeights, kGatheredWeights, kInputs };

// Returns the source of each value before anything is gathered.
std::vector<WaitSource> SourcesOfValues(const Graph& graph) {
  std::vector<WaitSource> sources;
  sources.reserve(graph.size());
  for (const Op& op : graph.ops()) {
    WaitSource source = op.kind == OpKind::kParameter ? WaitSource::kInputs : WaitSource::kWeights;
    for (const OpId operand : op.operands) {
      source = std::max(source, sources[operand]);
    }
    sources.push_back(source);
  }
  return sources;
}

// Returns for each kernel whether it waits for demand: gathers of weights, what
// goes into them, and what is made of gathered weights alone, as their
// quantised form is.
std::vector<bool> WaitForDemand(const Program& program) {
  std::vector<WaitSource> sources = SourcesOfValues(program.graph);
  std::vector<WaitSource> of_kernel;
  for (const Kernel& kernel : program.kernels) {
    WaitSource source = kernel.phase == Phase::kUpdate ? WaitSource::kInputs : WaitSource::kWeights;
    for (const OpId id : kernel.inputs) {
      source = std::max(source, sources[id]);
    }
    if (IsGather(kernel)) source = std::max(source, WaitSource::kGatheredWeights);
    for (const OpId id : kernel.outputs) {
      sources[id] = source;
    }
    of_kernel.push_back(source);
  }
  std::vector<bool> wait(program.kernels.size());
  std::vector<bool> is_gathered(sources.size());
  for (size_t k = program.kernels.size(); k-- > 0;) {
    const Kernel& kernel = program.kernels[k];
    const bool goes_into_gather = of_kernel[k] == WaitSource::kWeights &&
                                  std::any_of(kernel.outputs.begin(), kernel.outputs.end(),
                                              [&is_gathered](OpId id) { return is_gathered[id]; });
    wait[k] = of_kernel[k] == WaitSource::kGatheredWeights || goes_into_gather;
    if (!goes_into_gather && !(wait[k] && IsGather(kernel))) continue;
    for (const OpId id : kernel.inputs) {
      is_gathered[id] = true;
    }
  }
  return wait;
}

std::vector<bool> Either(std::vector<bool> one, const std::vector<bool>& other) {
  for (size_t i = 0; i < one.size(); ++i) one[i] = one[i] || other[i];
  return one;
}

// Returns for each kernel whether it copies values that come from the host into
// another layout or shape. The values arrive one after the other; the kernels
// that need the first ones do not wait for copies of the last.
std::vector<bool> CopiesOfFetched(const Program& program) {
  const std::vector<WaitSource> sources = SourcesOfValues(program.graph);
  std::vector<bool> is_fetched(sources.size());
  std::vector<bool> copies;
  for (const Kernel& kernel : program.kernels) {
    const auto fetched = [&](OpId id) { return is_fetched[id]; };
    const bool comes_from_host = kernel.kind == KernelKind::kHostCopy && !kernel.goes_to_host();
    const bool copies_fetched =
        kernel.kind == KernelKind::kCopy &&
        std::any_of(kernel.inputs.begin(), kernel.inputs.end(), fetched) &&
        std::all_of(kernel.inputs.begin(), kernel.inputs.end(),
                    [&](OpId id) { return fetched(id) || sources[id] == WaitSource::kWeights; });
    copies.push_back(copies_fetched);
    if (!comes_from_host && !copies_fetched) continue;
    for (const OpId id : kernel.outputs) {
      is_fetched[id] = true;
    }
  }
  return copies;
}

}  // namespace

bool IsGather(const Kernel& kernel) {
  return kernel.kind == KernelKind::kCollective && kernel.collective == OpKind::kAllGather &&
         kernel.phase != Phase::kUpdate;
}

OnDemand::OnDemand(const Program& program, const KernelEdges& edges)
    : waits_(Either(WaitForDemand(program), CopiesOfFetched(program))),
      before_(program.kernels.size()),
      behind_(program.kernels.size()),
      is_resolved_(program.kernels.size()) {
  for (const auto& [from, to] : edges) {
    if (waits(to)) before_[to].push_back(from);
    if (waits(from)) behind_[from].push_back(to);
  }
}

KernelEdges OnDemand::OfOthers(const KernelEdges& edges) {
  KernelEdges others;
  for (const auto& [from, to] : edges) {
    if (waits(to)) continue;
    if (!waits(from)) {
      others.emplace_back(from, to);
      continue;
    }
    for (const KernelId source : SourcesOf(from)) {
      others.emplace_back(source, to);
    }
  }
  return others;
}

std::vector<KernelId> OnDemand::Insert(const std::vector<KernelId>& order) {
  const auto count = static_cast<int32_t>(order.size());
  places_.assign(order.size(), kUnknown);
  for (int32_t i = 0; i < count; ++i) {
    if (!waits(order[i])) places_[order[i]] = i;
  }
  std::vector<std::vector<KernelId>> waiting(order.size() + 1);  // by position in the order
  for (KernelId k = 0; k < count; ++k) {
    if (waits(k)) waiting[PositionOf(k)].push_back(k);
  }
  std::vector<KernelId> whole;
  for (int32_t i = 0; i <= count; ++i) {
    const auto& here = waiting[i];
    whole.insert(whole.end(), here.begin(), here.end());
    if (i < count && !waits(order[i])) {
      whole.push_back(order[i]);
    }
  }
  return whole;
}

const std::vector<KernelId>& OnDemand::SourcesOf(KernelId k) {
  std::vector<KernelId>& sources = before_[k];
  if (is_resolved_[k]) return sources;
  is_resolved_[k] = true;
  std::vector<KernelId> found;
  for (const KernelId from : sources) {
    if (waits(from)) {
      const std::vector<KernelId>& behind = SourcesOf(from);
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

int32_t OnDemand::PositionOf(KernelId k) {
  int32_t& place = places_[k];
  if (place != kUnknown) return place;
  auto first = static_cast<int32_t>(places_.size());
  for (const KernelId to : behind_[k]) {
    first = std::min(first, PositionOf(to));
  }
  place = first;
  return place;
}

}  // namespace tilewise
