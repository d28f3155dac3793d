// Adds the op that a custom call of the target "tilewise.<kind>" stands for.

#include "frontend/hlo/native_ops.h"

#include <utility>

#include "base/status.h"
#include "frontend/hlo/native_graph.h"

namespace tilewise::hlo {

bool IsNative(const Site& site) { return IsNative(site.instruction); }

Value AddNative(Translation& t, const Site& site) {
  absl::StatusOr<Op> op = NativeOp(site.instruction);
  if (!op.ok()) {
    t.emit().Fail(Message(op.status()));
    return {};
  }
  return t.emit().Add(op->kind, site.arrays(), std::move(op->attrs), std::move(op->shape));
}

}  // namespace tilewise::hlo
