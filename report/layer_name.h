// The layer of the user's model that a kernel belongs to, as reports name it.

#pragma once

#include <string>

#include "graph/graph.h"
#include "sim/lowering/program.h"

namespace tilewise {

// The op of the forward graph that the kernel was made for; null if none.
const Op* OriginOf(const Kernel& kernel, const Graph& source);

// Layer or op; "optimizer", "loss", the name of the exchange of a collective,
// or "other" for what belongs to none.
std::string LayerName(const Kernel& kernel, const Graph& source);

}  // namespace tilewise
