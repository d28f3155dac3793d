// What files hold, in 32 hexadecimal digits.

#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace tilewise {

// 128 bits of a hash that is not cryptographic: good against accidents, not
// against somebody who wants two texts to look alike. The same on every
// machine.
class ContentHash {
 public:
  // Two texts one after the other are not the same as both in one.
  ContentHash& Add(std::string_view bytes);
  ContentHash& Add(uint64_t number);
  std::string Hex() const;

 private:
  void Mix(uint64_t word);
  uint64_t a_ = 0x9E3779B97F4A7C15;
  uint64_t b_ = 0xC2B2AE3D27D4EB4F;
};

}  // namespace tilewise
