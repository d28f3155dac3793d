// What JAX calls a device of a chip.

#pragma once

#include <string>
#include <string_view>

namespace tilewise {

// "TPU v3"; empty: its file does not say.
std::string DeviceKind(std::string_view chip);

}  // namespace tilewise
