// A forward graph with most of its equal layers left out, and where they go.

#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/status.h"
#include "sim/lowering/repeats/find_repeats.h"

namespace tilewise {

// Layers of a repeat that are kept: the first two, three in the middle, and the
// last two. Those at the ends may be lowered in a way of their own, as their
// neighbours are other ops; of the three, which must be lowered alike, the
// second stands for all that are left out.
inline constexpr int32_t kKeptLayers = 7;
inline constexpr int32_t kTypicalLayer = 3;

struct FoldedRepeat {
  Repeat folded;  // in the folded graph, kKeptLayers layers
  Repeat whole;   // in the graph it was made of
  // Copies of the typical layer that make the graph whole again.
  int32_t left_out() const { return whole.count - kKeptLayers; }
};

struct FoldedGraph {
  Graph graph;
  std::vector<FoldedRepeat> repeats;  // ascending

  // The op of the whole graph that op `folded` stands for; in the typical
  // layer that of its copy number `copy`, 0 to left_out().
  OpId WholeId(OpId folded, int32_t copy = 0) const;
  // A Position says where an op of the folded graph is: number of its repeat
  // and of its layer there; -1 outside.
  struct Position {
    int32_t repeat = -1;
    int32_t layer = -1;
    bool operator==(const Position&) const = default;
  };
  Position PositionOf(OpId folded) const;
  // Ops of the whole graph that this one is for: more than 1 in the typical
  // layer.
  int32_t StandsFor(OpId folded) const;
};

// Returns, for each op of `graph`, lowered from `folded` (which may be null),
// how many ops of the whole step it stands for.
std::vector<double> OpCounts(const Graph& graph, const FoldedGraph* folded);

// Leaves layers out of repeats of more than kKeptLayers. Without any the result
// has no repeats and no graph.
absl::StatusOr<FoldedGraph> FoldRepeats(const Graph& whole);

}  // namespace tilewise
