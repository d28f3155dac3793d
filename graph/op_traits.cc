// The records of all op kinds, by kind.

#include "graph/op_traits.h"

#include <array>

namespace tilewise {
namespace {

constexpr std::array kRecords = {
#define TW_OP(enumerator, name, op_class) &op_traits::enumerator,
#include "graph/op_kinds.def"
#undef TW_OP
};

}  // namespace

const OpTraits& TraitsOf(OpKind kind) { return *kRecords[static_cast<size_t>(kind)]; }

}  // namespace tilewise
