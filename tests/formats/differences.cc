// Rows of the table, sorted by the case.

#include "tests/formats/differences.h"

namespace tilewise::formats {
namespace {

constexpr Difference kTrue[] = {
#define TW_DIFFERS(name, format, mode, reason) {name, format, mode, reason},
#include "tests/formats/true_differences.def"
#undef TW_DIFFERS
};

}  // namespace

std::span<const Difference> TrueDifferences() { return kTrue; }

}  // namespace tilewise::formats
