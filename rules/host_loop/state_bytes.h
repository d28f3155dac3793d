// The state of a training step.

#pragma once

#include "base/units.h"
#include "session/facts.h"

namespace tilewise {

// Padded bytes of weights and optimizer state per core. Facts::model must not be null.
Bytes StateBytes(const Facts& facts);

}  // namespace tilewise
