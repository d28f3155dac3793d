// The lowering's records of all op kinds, by kind.

#include "sim/lowering/lowering_traits.h"

#include <array>

namespace tilewise {
namespace {

constexpr std::array kRecords = {
#define TW_OP(enumerator, name, op_class) &lowering_traits::enumerator,
#include "graph/op_kinds.def"
#undef TW_OP
};

}  // namespace

const LoweringTraits& LoweringTraitsOf(OpKind kind) { return *kRecords[static_cast<size_t>(kind)]; }

}  // namespace tilewise
