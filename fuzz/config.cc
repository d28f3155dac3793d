// Arbitrary bytes for the configuration of a checkout.

#include "lint/config.h"

#include <cstddef>
#include <cstdint>
#include <string_view>

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  (void)tilewise::ParseConfig(text, ".tilewise.yaml", tilewise::ConfigOwner::kCheckout);
  return 0;
}
