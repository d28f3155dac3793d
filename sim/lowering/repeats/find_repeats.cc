// An op's work is hashed with that of its operands; ops whose hash comes back
// at equal distances vote for that distance as the period. For each period with
// many votes the graph is compared with itself, moved by the period.

#include "sim/lowering/repeats/find_repeats.h"

#include <algorithm>
#include <limits>
#include <map>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "graph/op_traits.h"

namespace tilewise {
namespace {

// Periods that are compared; the others have fewer votes.
constexpr size_t kTriedPeriods = 8;

uint64_t Mixed(uint64_t hash, uint64_t value) {
  return (hash ^ value) * 0x9e3779b97f4a7c15ULL + (hash >> 29);
}

// What tells the work of most ops apart; SameWork decides.
uint64_t HashOfWork(const Op& op) {
  uint64_t hash = Mixed(static_cast<uint64_t>(op.kind), static_cast<uint64_t>(op.shape.dtype));
  for (const Dim& dim : op.shape.dims) {
    hash = Mixed(hash, static_cast<uint64_t>(dim.factor) * 2 + dim.per_batch);
  }
  // Labels of random streams differ between layers.
  if (ClassOf(op.kind) != OpClass::kRandom) hash = Mixed(hash, HashAttributes(op));
  return Mixed(hash, op.operands.size());
}

// Returns a hash for each op, of its work and that of its operands, which few
// ops of one layer share.
std::vector<uint64_t> Hashes(const Graph& graph) {
  std::vector<uint64_t> of_work;
  std::vector<uint64_t> hashes;
  of_work.reserve(graph.ops().size());
  hashes.reserve(graph.ops().size());
  for (const Op& op : graph.ops()) {
    uint64_t hash = HashOfWork(op);
    of_work.push_back(hash);
    for (const OpId operand : op.operands) {
      hash = Mixed(hash, of_work[operand]);
    }
    hashes.push_back(hash);
  }
  return hashes;
}

// Distances at which hashes come back, most votes first.
std::vector<int32_t> Periods(const Graph& graph) {
  // Each hash has the last op that had it and the distance to the one before.
  struct Seen {
    OpId last;
    int32_t distance = 0;
  };
  std::unordered_map<uint64_t, Seen> seen;  // never iterated
  std::map<int32_t, int64_t> votes;
  const std::vector<uint64_t> hashes = Hashes(graph);
  for (const Op& op : graph.ops()) {
    const uint64_t hash = hashes[op.id];
    const auto [at, is_new] = seen.try_emplace(hash, Seen{op.id, 0});
    if (is_new) continue;
    Seen& before = at->second;
    const int32_t distance = op.id - before.last;
    if (distance == before.distance) ++votes[distance];
    before = {op.id, distance};
  }
  std::vector<std::pair<int64_t, int32_t>> ranked;
  ranked.reserve(votes.size());
  for (const auto& [period, count] : votes) {
    ranked.emplace_back(-count, period);
  }
  std::sort(ranked.begin(), ranked.end());
  std::vector<int32_t> periods;
  for (const auto& [votes_against, period] : ranked) {
    if (periods.size() == kTriedPeriods) break;
    periods.push_back(period);
  }
  return periods;
}

// Whether op `id` + `period` is op `id` of the next layer, in a stretch that
// began at op `begin`.
bool Recurs(const Graph& graph, OpId id, int32_t period, OpId begin) {
  const Op& op = graph.op(id);
  const Op& next = graph.op(id + period);
  if (!SameWork(op, next)) return false;
  for (size_t i = 0; i < op.operands.size(); ++i) {
    const OpId from = op.operands[i];
    const bool is_shared = next.operands[i] == from && from < begin;
    const bool is_local = next.operands[i] == from + period && from + period >= begin;
    if (!is_shared && !is_local) return false;
  }
  return true;
}

// Path components that two names begin with alike.
int64_t CommonScopes(std::string_view a, std::string_view b) {
  const auto [end, other] = std::mismatch(a.begin(), a.end(), b.begin(), b.end());
  return std::count(a.begin(), end, '/');
}

// First op of a layer, of those that could be: of the `period` from `begin` on.
// The first of an iteration, where several layers make one.
OpId LayerBegin(const Graph& graph, OpId begin, int32_t period) {
  OpId best = begin;
  int64_t least = std::numeric_limits<int64_t>::max();
  for (OpId id = std::max(begin, OpId(1)); id < begin + period; ++id) {
    const Op& before = graph.op(id - 1);
    const Op& op = graph.op(id);
    const int64_t common = before.loop == op.loop ? CommonScopes(before.name, op.name) : -1;
    if (common >= least) continue;
    least = common;
    best = id;
  }
  return best;
}

// The layers are not seen from outside but for what the last one hands on.
bool IsClosed(const Graph& graph, const Repeat& repeat) {
  const OpId last_layer = repeat.end() - repeat.period;
  const auto is_inside = [&](OpId id) { return id >= repeat.begin && id < last_layer; };
  for (const Output& output : graph.outputs()) {
    if (is_inside(output.value) || is_inside(output.variable)) return false;
  }
  for (OpId id = repeat.end(); id < graph.size(); ++id) {
    for (const OpId operand : graph.op(id).operands) {
      if (is_inside(operand)) return false;
    }
  }
  return true;
}

// Appends the stretches that repeat with this period.
void AddRepeats(const Graph& graph, int32_t period, int32_t least_count,
                std::vector<Repeat>& repeats) {
  OpId begin = 0;
  for (OpId id = 0; id + period <= graph.size(); ++id) {
    if (id + period < graph.size() && Recurs(graph, id, period, begin)) {
      continue;
    }
    if ((id - begin) / period + 1 >= least_count) {
      const OpId first = LayerBegin(graph, begin, period);
      const Repeat repeat = {first, period, (id + period - first) / period};
      if (repeat.count >= least_count && IsClosed(graph, repeat)) {
        repeats.push_back(repeat);
      }
    }
    begin = id + 1;
  }
}

bool Overlaps(const Repeat& a, const Repeat& b) { return a.begin < b.end() && b.begin < a.end(); }

// Layers may be iterations of a loop, which have numbers of their own.
bool SameLoop(EnclosingLoop a, EnclosingLoop b) {
  if (!a.is_one_trip() || !b.is_one_trip()) return a == b;
  return (a.id > 0) == (b.id > 0);
}

}  // namespace

bool SameWork(const Op& a, const Op& b) {
  if (a.kind != b.kind || a.operands.size() != b.operands.size() || a.phase != b.phase ||
      !SameLoop(a.loop, b.loop) || !(a.shape == b.shape)) {
    return false;
  }
  return ClassOf(a.kind) == OpClass::kRandom || a.attrs == b.attrs;
}

std::vector<Repeat> FindRepeats(const Graph& graph, int32_t least_count) {
  std::vector<Repeat> candidates;
  for (const int32_t period : Periods(graph)) {
    AddRepeats(graph, period, least_count, candidates);
  }
  // The longest first; of equal ones that of the shorter layer.
  std::stable_sort(candidates.begin(), candidates.end(), [](const Repeat& a, const Repeat& b) {
    const int32_t ops_a = a.period * a.count;
    const int32_t ops_b = b.period * b.count;
    return ops_a != ops_b ? ops_a > ops_b : a.period < b.period;
  });
  std::vector<Repeat> repeats;
  for (const Repeat& candidate : candidates) {
    const bool is_free = std::none_of(repeats.begin(), repeats.end(), [&](const Repeat& taken) {
      return Overlaps(taken, candidate);
    });
    if (is_free) repeats.push_back(candidate);
  }
  std::sort(repeats.begin(), repeats.end(),
            [](const Repeat& a, const Repeat& b) { return a.begin < b.begin; });
  return repeats;
}

}  // namespace tilewise
