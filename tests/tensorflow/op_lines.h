// Nodes in a short form -> the ops of the graph that is read from them, for
// tables of small cases.
//
//   x = Placeholder() dtype=f32 shape=[?,4]
//   a = Const() value=s32:[0,1]      // [2] of s32; value=s32:3 is a scalar
//   y = Sum(x, a) keep_dims=true
//
// Attributes: true, false; integers and lists of them; numbers with a point;
// f32, s32, ... are types (also lists in <>: types=<f32,s32>); shape=[..] and
// element_shape=[..] are shapes, ? an unknown dim; other words are strings.

#pragma once

#include <string>
#include <string_view>

namespace tilewise {

// Each op but parameters, constants and variables as "f32[N,4] maximum",
// joined by "; "; outputs of state follow as "state f32[4]". What could not be
// read comes first as "error: ...", opaque ops as "f32[4] opaque".
std::string OpLines(std::string_view nodes);

// On the reference evaluator, as "[1 2.5] [3]": the new values of variables in
// the order of the graph's outputs, or the results where none changes. `leaves`
// gives the values of parameters and variables: "x=1,2 v=0".
std::string OpValues(std::string_view nodes, std::string_view leaves);

// The notes of the same graph, joined by "; ".
std::string NoteLines(std::string_view nodes);

}  // namespace tilewise
