// Devices of TensorFlow 1: what the rows of a timeline stand for.

#pragma once

#include "profile/profile.h"

namespace tilewise {

// Sets kinds of planes and lines by the names of devices: streams of GPUs are
// counted once, and the CPU is a device where there is no other.
void ClassifyTensorFlowPlanes(Profile& profile);

}  // namespace tilewise
