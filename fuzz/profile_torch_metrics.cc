// Arbitrary bytes for the reader of torch_xla's metrics.

#include "fuzz/fuzz_profile.h"

TW_FUZZ_PROFILE(ReadTorchMetrics)
