// What is taken for true of values that are not known, so that one reading
// stays on one way through the program: after `if train:` was followed, a later
// `if not train:` is not. A value is known by its identity: the same parameter
// reached by another name is the same value.

#pragma once

#include <map>
#include <optional>
#include <string>

#include "python/value.h"

namespace tilewise::py {

class Assumptions {
 public:
  // Whether `value` is true by what was assumed; nothing when that is open.
  std::optional<bool> Holds(const Unknown& value) const;
  // Assumes it and what follows from it: `not a`, `a and b`, `a == "x"` of
  // their parts.
  void Assume(const Unknown& value, bool truth);

 private:
  std::map<const Unknown*, bool> truth_;
  std::map<const Unknown*, std::string> equal_;  // to this constant
};

}  // namespace tilewise::py
