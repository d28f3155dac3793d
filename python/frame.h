// What one call of a function, or one module, has while it runs.

#pragma once

#include <cstdint>
#include <vector>

#include "python/node.h"
#include "python/value.h"

namespace tilewise::py {

// How statements end.
enum class Flow : uint8_t { kNext, kBreak, kContinue, kReturn };

// A try statement whose body runs.
struct Trying {
  const Node* node;
  const Trying* around;  // in the same frame; null: there is none
};

struct Frame {
  Environment* names = nullptr;
  Module* module = nullptr;
  Namespace* body = nullptr;  // of a class, while it is made
  Class* owner = nullptr;
  const Node* at = nullptr;
  const Node* call = nullptr;  // that is being evaluated
  const Function* function = nullptr;
  Value returned;
  // Returns inside branches whose condition is not known.
  std::vector<Value> maybe_returned;
  Value maybe_broke;               // the condition of a break that may have ended the loop
  int64_t elsewhere = 0;           // progress made while a generator of it waited
  int64_t round = -1;              // progress when the innermost loop's round began; -1: no loop
  int tries = 0;                   // try statements around what runs
  const Trying* trying = nullptr;  // the innermost of them
  int catches = 0;                 // those that would take a check that fails
  const Node* check = nullptr;     // the raise or exit of an if that does nothing else
  int undecided = 0;               // branches and loops around what runs that may not run at all
};

}  // namespace tilewise::py
