// What the op library makes of one instruction. When that fails, only the
// instruction fails.

#pragma once

#include <functional>
#include <vector>

#include "frontend/hlo/translation.h"

namespace tilewise::hlo {

using Operands = std::vector<OpId>;
using Make = std::function<Operands(GraphBuilder&, const Operands&)>;

// The results of `make` on the arrays among the operands, of which there are
// `operands`; nothing when it fails.
Operands Written(Translation& t, const Site& site, size_t operands, const Make& make);

inline Value First(const Operands& results) {
  return results.empty() ? Value() : Value(results[0]);
}

}  // namespace tilewise::hlo
