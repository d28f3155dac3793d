// What a compiler's own dump says about a graph: which ops run as one kernel
// and how their results lie in memory. StatedLayout instead of chosen.

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace tilewise {

// This is a layout as XLA prints it, {1,0:T(8,128)(2,1)S(1)} (tpu-lowering 1).
struct PhysicalLayout {
  std::vector<int64_t> minor_to_major;
  std::vector<std::vector<int64_t>> tiles;
  int64_t memory_space = 0;  // 0: HBM, 1: VMEM, 3: CMEM, 5: host
  bool operator==(const PhysicalLayout&) const = default;
};

struct Compilation {
  std::vector<std::string> kernels;  // names, in issue order
  // This is the kernel of each op, -1 for those that cost nothing (bitcasts,
  // parameters).
  std::vector<int32_t> kernel_of;
  std::vector<std::optional<PhysicalLayout>> layouts;  // by op
};

}  // namespace tilewise
