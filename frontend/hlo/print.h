// HLO text of modules and of graphs.
//
// A graph becomes a module that says all that the graph says, so that reading
// it back gives an equal graph (native_graph.h):
//
//   - The module has the frontend attributes tilewise="graph", tilewise_name
//     (of the graph) and tilewise_outputs: "result 7;loss 9;state 5 of 2", with
//     the numbers of the ops.
//   - Instruction i that is not auxiliary is op i. Auxiliary ones have
//     tilewise_role="auxiliary": initial values of reductions and the root,
//     a tuple of the outputs.
//   - Kinds that HLO has, with attributes that it has, are its instructions;
//     others are custom calls of the target "tilewise.<kind>", with attributes
//     in the backend config as the text of graphs writes them (graph/text.h).
//     So are constants that are no scalars. Attributes and context that HLO has
//     no place for are in the frontend attribute tilewise_attributes.
//   - Variables are parameters with tilewise_role="variable". State outputs are
//     in input_output_alias.
//   - An op whose name is no HLO name has it as op_name of its metadata.
//     Locations are source_file, source_line and source_column. Loops:
//     loop="1", trip_count="10".

#pragma once

#include <string>

#include "frontend/hlo/module.h"
#include "graph/graph.h"

namespace tilewise::hlo {

// Reading it gives an equal module, but for names that are empty or not unique
// and values of constants that the module does not keep.
std::string PrintModule(const Module& module);

// Makes the module of a static graph, which the module has views into.
Module ModuleOf(const Graph& graph);
std::string PrintHlo(const Graph& graph);

}  // namespace tilewise::hlo
