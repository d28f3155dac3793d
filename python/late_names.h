// Names of tilewise's own modules that get their values when they are first
// asked for: an account of a framework is large, and a program uses little of it.

#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include <absl/container/flat_hash_map.h>

#include "python/node.h"

namespace tilewise::py {

// How a module's statements run, told from its text alone: those that only
// define names wait, the others run when the module is loaded.
struct LateNames {
  struct Statement {
    const Node* node = nullptr;
    int32_t order = 0;  // in the module
  };
  // What runs together: a definition and the statements that complete it.
  struct Unit {
    std::vector<Statement> statements;
    const Node* item = nullptr;  // of an import: that name alone
    std::vector<uint32_t> names;
  };
  std::vector<Statement> at_load;
  std::vector<Unit> units;
  std::vector<Symbol> names;
  absl::flat_hash_map<Symbol, uint32_t> unit_of;
};

LateNames FindLateNames(const Code& code);

// This is the state of one module in one run of a program.
struct LateState {
  enum class Stage : uint8_t { kWaiting, kRunning, kDone };
  static constexpr int32_t kWhole = std::numeric_limits<int32_t>::max();
  const Code* code = nullptr;
  const LateNames* late = nullptr;
  std::vector<Stage> stages;  // by unit
  std::vector<Value> values;  // by name, of units that are done
  int32_t running = kWhole;   // the order of the statement that runs
};

}  // namespace tilewise::py
