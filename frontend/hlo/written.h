// What the op library makes of one instruction.

#pragma once

#include <vector>

#include <fmt/format.h>

#include "frontend/hlo/translation.h"

namespace tilewise::hlo {

using Operands = std::vector<OpId>;

// The results of `make`, a function of the builder and the operands, on the
// arrays among the operands, of which there are `operands`.
template <typename Make>
Operands Written(Translation& t, const Site& site, size_t operands, const Make& make) {
  const Operands given = site.arrays();
  GraphBuilder& e = t.emit();
  if (given.size() != operands) {
    e.Fail(fmt::format("found {} operands, expected {}", given.size(), operands));
    return {};
  }
  // Ops have the names of their kinds, in the scope of the instruction.
  e.SetScope(site.instruction.name);
  e.SetName({});
  Operands made = make(e, given);
  e.SetScope({});
  e.SetName(site.instruction.name);
  return made;
}

inline Value FirstOf(const Operands& results) {
  return results.empty() ? Value() : Value(results[0]);
}

}  // namespace tilewise::hlo
