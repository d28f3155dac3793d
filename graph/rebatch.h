// Batch rebinding: in a graph whose batch size was baked in when it was written
// down, the dims that derive from the batch are found again, so that the graph
// can be bound at other sizes.
//
// They are found by following a dim of an input through every op, forwards and
// backwards, not by comparing sizes: features that happen to be as many as the
// batch stay what they are. A batch of 1 is followed forwards only, and what
// meets it as a dim of size 1 (a weight, say) is stretched to the batch.

#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/status.h"
#include "graph/graph.h"

namespace tilewise {

// A dim of an input that holds the batch.
struct BatchSeed {
  OpId parameter = kNoOp;
  int64_t dim = 0;
  bool operator==(const BatchSeed&) const = default;
};

// A dim that holds the batch: its size is outer x batch x inner. In the op
// `via` it is the same dim as dim `from_dim` of `from`; a seed has neither.
struct BatchReason {
  OpId op = kNoOp;
  int64_t dim = 0;
  int64_t inner = 1;
  OpId via = kNoOp;
  OpId from = kNoOp;
  int64_t from_dim = 0;
};

struct BatchGuess {
  int64_t batch = 1;              // as the file has it
  std::vector<BatchSeed> seeds;   // where the batch comes in
  std::vector<BatchReason> dims;  // all that hold it, by op, then dim
  // Constants that equal the batch, the number of elements that a reduction
  // over it takes, or one over these: they stay as they are at other sizes.
  std::vector<OpId> constants;
  // Whether some tensor has the batch in two dims.
  bool holds_it_twice() const;
};

// Counted random numbers (graph/counters.h) are laid out anew where the batch
// can be followed no other way; ids stay good, and so does the number of
// elements.

// Finds which dims hold the batch when `seeds` do. The smallest seed is the
// batch size; a seed of several times that size holds as many rows per example.
// It is linear in the graph's size. Errors: the graph is not static, a seed is
// not a dim of a parameter or their sizes do not fit together; an op that the
// batch cannot be followed through, by name, with its location and why.
absl::StatusOr<BatchGuess> FindBatch(const Graph& static_graph, std::span<const BatchSeed> seeds);

// Picks the seeds too: the first dim of a parameter that leads most matmuls
// and other ops by their first dim, and that of others which belong to a part
// of the graph of their own and are as long. Second dims are tried when no
// first one can be followed through the graph. Errors: neither can; the message
// is that of the one that got furthest.
absl::StatusOr<BatchGuess> GuessBatch(const Graph& static_graph);

// Dim 0 of every parameter that has dims, where all of these are as long and one has several;
// empty: they differ.
std::vector<BatchSeed> RowsOfInputs(const Graph& graph);

// The graph with those dims per batch. Bound at the original batch size it is
// the graph that it was made of, but for a batch of 1, where the ops that
// stretch a weight are new.
absl::StatusOr<Graph> SeparateBatch(const Graph& static_graph, const BatchGuess& batch);
absl::StatusOr<Graph> SeparateBatch(const Graph& static_graph, std::span<const BatchSeed> seeds);

// The static graph with dim `dim` of `op` (a variable, as a rule: the width of
// a layer) of another size, and with it every dim that has to be as long; dims
// that merge it with others scale. Ids are kept. Errors: an input of the model
// would have to change; an op that the dim cannot be followed through, by name,
// with its location and why; a size below 1.
absl::StatusOr<Graph> ResizeDim(const Graph& static_graph, OpId op, int64_t dim, int64_t size);

// "add f32[32,10] dim 0: is dim 0 of dense/dot in add".
std::string ExplainReason(const Graph& graph, const BatchReason& reason);

}  // namespace tilewise
