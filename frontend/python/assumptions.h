// What is taken for true of values that are not known, so that one reading
// stays on one way through the script: after `if train:` was followed, a later
// `if not train:` is not. A value is known by its identity: the same parameter
// reached by another name is the same value.

#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "frontend/python/value.h"

namespace tilewise::python {

class Assumptions {
 public:
  // Whether `value` is true by what was assumed; nothing when that is open.
  std::optional<bool> Holds(const Unknown& value) const;
  // Also assumes what follows: `not a`, `a and b`, `a == "x"` of their parts.
  void Assume(const Unknown& value, bool truth);

  // Undo(mark()) forgets what was assumed in between.
  size_t mark() const { return trail_.size(); }
  void Undo(size_t mark);

 private:
  std::map<const Unknown*, bool> truth_;
  std::map<const Unknown*, std::string> equal_;         // to this constant
  std::vector<std::pair<const Unknown*, bool>> trail_;  // true: in equal_
};

// A constant as text that two equal constants share; empty for other values.
std::string ConstantText(const Value& value);

}  // namespace tilewise::python
