// The op or function that takes elements out of the program's input.

#pragma once

#include "profile/analysis/totals.h"
#include "profile/profile.h"

namespace tilewise {

struct InputOp {
  const ProfileOp* op = nullptr;  // null: the profile names none
  bool queue = false;             // a queue or reader of TensorFlow 1
};
InputOp InputOpOf(const Profile& profile, const ProfileTotals& totals);

}  // namespace tilewise
