// A small program to search for.

#pragma once

#include <cstdint>

#include "workload/workload.h"

namespace tilewise {

// Two dense layers with a tanh between them, trained with Keras.
Workload Classifier(int64_t inputs, int64_t width);

}  // namespace tilewise
