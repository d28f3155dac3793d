// Little-endian numbers out of untrusted bytes: reading past the end gives
// zeros and is remembered, so callers check once.

#pragma once

#include <cstdint>
#include <string_view>

namespace tilewise {

class ByteCursor {
 public:
  explicit ByteCursor(std::string_view bytes, uint64_t at = 0)
      : bytes_(bytes), at_(at), ok_(at <= bytes.size()) {}

  // `size` bytes, at most eight.
  uint64_t Number(uint64_t size) {
    const std::string_view taken = Take(size);
    uint64_t value = 0;
    for (size_t i = taken.size(); i > 0; --i) {
      value = value << 8 | static_cast<unsigned char>(taken[i - 1]);
    }
    return value;
  }

  // Returns an empty view when they are not all there.
  std::string_view Take(uint64_t size) {
    if (!ok_ || size > bytes_.size() - at_) {
      ok_ = false;
      return {};
    }
    const std::string_view taken = bytes_.substr(at_, size);
    at_ += size;
    return taken;
  }

  void Skip(uint64_t size) { Take(size); }
  uint64_t left() const { return ok_ ? bytes_.size() - at_ : 0; }
  uint64_t place() const { return at_; }
  bool ok() const { return ok_; }

 private:
  std::string_view bytes_;
  uint64_t at_;
  bool ok_;
};

}  // namespace tilewise
