// Questions about kinds of nodes, asked for each of a million nodes.

#pragma once

#include <string_view>

#include "absl/container/flat_hash_map.h"

namespace tilewise::tf {

// What `ask` answers about an op ("Conv2D"), asked once for each: a graph has
// few ops.
template <typename Answer>
class OncePerOp {
 public:
  explicit OncePerOp(Answer (*ask)(std::string_view)) : ask_(ask) {}

  Answer operator()(std::string_view op) {
    const auto [at, added] = answers_.try_emplace(op);
    if (added) at->second = ask_(op);
    return at->second;
  }

 private:
  Answer (*ask_)(std::string_view);
  absl::flat_hash_map<std::string_view, Answer> answers_;
};

}  // namespace tilewise::tf
