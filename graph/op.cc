// Names and classes of op kinds, from op_kinds.def.

#include "graph/op.h"

#include <array>

namespace tilewise {
namespace {

struct KindInfo {
  std::string_view name;
  OpClass op_class;
};

constexpr std::array kKinds = {
#define TW_OP(enumerator, name, op_class) KindInfo{name, OpClass::k##op_class},
#include "graph/op_kinds.def"
#undef TW_OP
};

}  // namespace

std::string_view OpName(OpKind kind) { return kKinds[static_cast<size_t>(kind)].name; }

OpClass ClassOf(OpKind kind) { return kKinds[static_cast<size_t>(kind)].op_class; }

const WindowedAttrs& WindowOf(const Op& op) {
  if (ClassOf(op.kind) == OpClass::kWindow) return op.as<PoolAttrs>();
  return op.as<ConvAttrs>();
}

std::string_view PhaseName(Phase phase) {
  switch (phase) {
    case Phase::kForward:
      return "forward";
    case Phase::kLoss:
      return "loss";
    case Phase::kBackward:
      return "backward";
    case Phase::kUpdate:
      return "update";
  }
  return "?";
}

}  // namespace tilewise
