// The one that takes longest: of the devices, else of the host.

#include "profile/analysis/input_op.h"

namespace tilewise {
namespace {

InputOp InputOpFrom(const ProfileOp& op) {
  return {.op = &op, .queue = IsQueueDequeue(op.kind) || IsQueueDequeue(op.name)};
}

}  // namespace

InputOp InputOpOf(const Profile& profile, const ProfileTotals& totals) {
  for (const OpTotal& total : totals.ops) {
    if (total.kind == ProfileOpClass::kInfeed) return InputOpFrom(profile.ops[total.op]);
  }
  for (const HostTotal& total : totals.host) {
    if (total.kind == HostClass::kInput) return InputOpFrom(profile.ops[total.op]);
  }
  return {};
}

}  // namespace tilewise
