// Makes the forward graph that a change asks for.

#pragma once

#include <functional>
#include <span>

#include "base/status.h"
#include "session/change.h"
#include "session/compute_type.h"

namespace tilewise {

// `graph` (static) with the new widths, then with ops replaced, then in the
// compute type, whose `weights` matter only there. Names, locations and origins
// stay those of `graph`, and what stands in for an op has it as its origin, so
// origins still are ids of `graph`. Ops that nothing needs any more are left
// out, their variables too. Without edits of the graph it is the graph itself.
// Errors: a width that contradicts another or would change an input of the
// model; a replacement that does not fit its users, where a result of the model
// may be of another type; an op that has no such type.
absl::StatusOr<Graph> RewriteGraph(const Graph& graph, const Change& change,
                                   WeightType weights = WeightType::kOwn);

// What `make` has for each of `ops`, in one change. Where that does not fit the
// graph, what it has for the first; empty where that does not either.
Change ChangeOfAll(const Graph& graph, std::span<const OpId> ops,
                   const std::function<Change(const Op&)>& make);

// Returns, in a Replacement, what op `source` of the graph, before the one that
// is replaced, became. kNoOp when it was replaced by a value of another op.
OpId StandsFor(const GraphBuilder& builder, OpId source);

}  // namespace tilewise
