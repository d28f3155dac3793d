// Counts nodes of function bodies and tells costly ones by their ops.

#include "frontend/tensorflow/map_function.h"

#include <set>
#include <string>
#include <vector>

#include "frontend/tensorflow/attr_value.h"
#include "frontend/tensorflow/training_ops.h"

namespace tilewise::tf {
namespace {

constexpr size_t kMaxCalls = 200;
constexpr size_t kMaxMappedFunctions = 1000;

bool IsStructure(std::string_view op) {
  return op == "Const" || op == "Identity" || op == "NoOp" || op == "StatefulPartitionedCall" ||
         op == "PartitionedCall" || op == "Assert" || op == "Switch" || op == "Merge";
}

bool Decodes(std::string_view op) {
  return op.starts_with("Decode") || op.starts_with("Parse") || op == "ExtractJpegShape";
}

bool IsStateful(std::string_view op) {
  return op == "PyFunc" || op == "EagerPyFunc" || op == "PyFuncStateless" || op == "Print" ||
         op == "PrintV2" || op.starts_with("LookupTableInsert");
}

void Describe(const NodeDef& node, MapFunction& function) {
  if (IsStructure(node.op)) return;
  ++function.nodes;
  if (function.calls.size() < kMaxCalls) {
    function.calls.push_back("tf.raw_ops." + std::string(node.op));
  }
  function.random = function.random || Contains(node.op, "Random") ||
                    Contains(node.op, "DistortedBoundingBox") || node.op == "Multinomial" ||
                    node.op == "TruncatedNormal";
  function.stateful = function.stateful || IsStateful(node.op);
  function.decodes = function.decodes || Decodes(node.op);
}

}  // namespace

MapFunction DescribeFunction(const GraphDef& graph, std::string_view name) {
  MapFunction function;
  function.name = name;
  std::vector<std::string_view> open = {name};
  std::set<std::string_view> seen = {name};
  while (!open.empty() && seen.size() < kMaxMappedFunctions) {
    const FunctionDef* body = graph.Function(open.back());
    open.pop_back();
    if (body == nullptr) continue;
    function.resolved = true;
    for (const NodeDef& node : body->nodes) {
      Describe(node, function);
      if (graph.Function(node.op) != nullptr && seen.insert(node.op).second) {
        open.push_back(node.op);
      }
      for (const Attr& attr : node.attrs) {
        const auto callee = AttrFunction(Attrs(&attr, 1), attr.name);
        if (callee && seen.insert(callee->name).second) {
          open.push_back(callee->name);
        }
      }
    }
  }
  return function;
}

}  // namespace tilewise::tf
