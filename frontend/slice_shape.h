// The devices of a slice, as programs ask for them.

#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace tilewise {

struct SliceShape {
  std::string device_kind;      // "TPU v3", as JAX names it; empty: not known
  int64_t devices_of_chip = 1;  // cores that are devices of their own
  std::vector<int64_t> axes;    // chips along each axis of the torus; empty: not known
};

}  // namespace tilewise
