// Rows of the two tables, sorted by the case.

#include "tests/formats/differences.h"

namespace tilewise::formats {
namespace {

constexpr Difference kTrue[] = {
#define TW_DIFFERS(name, format, mode, reason) {name, format, mode, reason},
#include "tests/formats/true_differences.def"
#undef TW_DIFFERS
};

constexpr Difference kDisagreements[] = {
#define TW_DISAGREES(name, format, mode, reason) {name, format, mode, reason},
#include "tests/formats/disagreements.def"
#undef TW_DISAGREES
};

}  // namespace

std::span<const Difference> TrueDifferences() { return kTrue; }

std::span<const Difference> KnownDisagreements() { return kDisagreements; }

}  // namespace tilewise::formats
