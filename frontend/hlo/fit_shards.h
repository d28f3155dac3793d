// Programs of one device inside programs of all (shard_map): where arguments
// are only taken apart for the device, they get the shapes that the device
// has, and so do results that are only put together. What remains in between
// takes the device's part of an array, or stands for the whole of one.

#pragma once

#include "frontend/hlo/module.h"

namespace tilewise::hlo {

// Rewrites SPMDFullToShardShape and SPMDShardToFullShape in all computations;
// returns how many of them are not at an argument or result of the entry.
int64_t FitShards(Module& module);

}  // namespace tilewise::hlo
