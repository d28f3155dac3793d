// A graph as text, one op a line, and back. Printing and parsing round-trip.
//
//   graph "mlp" {
//     x = f32[N,784] parameter()
//     w = f32[784,128] variable()
//     d = f32[N,128] dot(x, w), lhs_contract={1}, rhs_contract={0}  // note
//     output result d
//   }
//
// The attributes are those of the kind (graph/ops); defaults are left out. Window dims print as
// window={size=3x3 stride=2x2 pad=1_1x1_1}. Ops of a loop have loop=1, trip_count=24. Phase, origin
// and location follow as phase=backward origin=12 at="model.py:3:1" item="conv1", each only when
// set (origin: when not the op itself, "none" when there is none). A new variable value is "output
// state value of variable". Names with other characters than letters, digits and _.-/:+ stand in
// quotes. Dims must follow from the operands by the shape rules.

#pragma once

#include <string>
#include <string_view>

#include "base/status.h"
#include "graph/graph.h"

namespace tilewise {

std::string PrintGraph(const Graph& graph);
// ", dims={1}, reducer=max": what the text says of an op behind its operands, but
// for its context.
std::string AttributesText(const Op& op);
// "dims={1}, phase=backward": the same with the context; "" where there is none.
std::string DetailsText(const Op& op);
// A name as the text writes it: as it stands, or in quotes when it would read
// as something else.
std::string NameText(std::string_view name);
// Errors: invalid argument, "line L: ..." with what was expected.
absl::StatusOr<Graph> ParseGraph(std::string_view text);

}  // namespace tilewise
