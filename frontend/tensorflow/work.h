// How much a part of a graph computes, told from the names of its ops alone:
// which branch or signature is the one to look at.

#pragma once

#include <cstdint>
#include <map>
#include <string_view>

#include "absl/container/flat_hash_map.h"
#include "frontend/tensorflow/graph_def.h"

namespace tilewise::tf {

// A unit of its own: an elementwise op is 1.
int64_t WorkOf(std::string_view op);

class FunctionWork {
 public:
  explicit FunctionWork(const GraphDef& graph) : graph_(graph) {}
  // Returns the work of the body and of all that it calls.
  int64_t Of(std::string_view function) { return Of(function, 0); }
  // Returns the work of a node: its own, and that of its functions.
  int64_t OfNode(const NodeDef& node) { return OfNode(node, 0); }

 private:
  int64_t Of(std::string_view function, int depth);
  int64_t OfNode(const NodeDef& node, int depth);

  const GraphDef& graph_;
  absl::flat_hash_map<std::string_view, int64_t> known_;
};

}  // namespace tilewise::tf
