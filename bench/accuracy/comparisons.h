// The sets of published measurements that tilewise is compared with. `folder`
// holds their tables. Each prints its summary.

#pragma once

#include <string>

#include "base/status.h"

namespace tilewise {

// paradnn-fc-v2-8.csv: training steps of fully connected networks on a v2-8,
// or out of memory. `csv_out`, when not empty, receives every row.
absl::Status CompareParaDnn(const std::string& folder,
                            const std::string& csv_out);

// tpu-v4-gemm.csv and the single products of measurements.csv.
absl::Status CompareMatmuls(const std::string& folder);

// Epochs of examples/alexnet_cifar by batch size, on a v2-8 from Colab.
absl::Status CompareLadder(const std::string& example);

}  // namespace tilewise
