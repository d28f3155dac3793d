// Small graphs of TensorFlow as protobuf text, and what is read from them.

#pragma once

#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "workload/workload.h"

namespace tilewise::tf {

// One node; `attrs` are texts of Attr below.
std::string Node(std::string_view name, std::string_view op,
                 std::initializer_list<std::string_view> inputs = {}, std::string_view attrs = {});
// One attribute: Attr("T", "type: DT_FLOAT").
std::string Attr(std::string_view key, std::string_view value);
// "shape { dim { size: 2 } ... }".
std::string ShapeText(std::initializer_list<int> dims);
// A placeholder of floats; -1 is an open dim.
std::string Input(std::string_view name, std::initializer_list<int> dims);
// A scalar integer constant.
std::string Int(std::string_view name, int value);
std::string Variable(std::string_view name, std::initializer_list<int> dims);

// A function of a library; arguments and results as "name: DT_FLOAT", `nodes`
// as Node gives them, results "name = node:out:0".
std::string Function(std::string_view name, std::initializer_list<std::string_view> arguments,
                     std::initializer_list<std::string_view> results, std::string_view nodes,
                     std::initializer_list<std::string_view> returns);
// An attribute that names a function.
std::string Calls(std::string_view key, std::string_view function);

// The workload of a GraphDef in text form, in the file "g.pbtxt".
absl::StatusOr<Workload> ReadText(const std::string& text);
// The lines of its graph without names of files, or the error.
std::string GraphLines(const std::string& text);
// The same of a graph that was read.
std::string LinesOf(const Workload& workload);

}  // namespace tilewise::tf
