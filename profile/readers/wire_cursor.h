// Fields of a protobuf message in place. A message that runs past the end of
// its bytes is read up to there: profiles of runs that crashed are cut.

#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

#include <protozero/varint.hpp>

namespace tilewise {

class WireCursor {
 public:
  explicit WireCursor(std::string_view bytes)
      : at_(bytes.data()), end_(bytes.data() + bytes.size()) {}

  // Moves to the next field; false at the end, or where nothing can follow.
  bool Next() {
    if (at_ >= end_ || damaged_) return false;
    const uint64_t key = Varint();
    field_ = static_cast<uint32_t>(key >> 3);
    if (damaged_ || field_ == 0) return Stop();
    bytes_ = {};
    number_ = 0;
    switch (key & 7) {
      case 0:
        number_ = Varint();
        break;
      case 1:
        number_ = Fixed(8);
        break;
      case 2:
        TakeBytes();
        break;
      case 5:
        number_ = Fixed(4);
        break;
      default:
        return Stop();
    }
    wire_ = static_cast<int>(key & 7);
    return !damaged_ || cut_;
  }

  uint32_t field() const { return field_; }
  bool is_bytes() const { return wire_ == 2; }
  std::string_view bytes() const { return bytes_; }
  std::string text() const { return std::string(bytes_); }
  uint64_t number() const { return number_; }
  int64_t integer() const { return static_cast<int64_t>(number_); }
  double real() const {
    double value = 0;
    std::memcpy(&value, &number_, sizeof value);
    return wire_ == 1 ? value : 0;
  }
  // The last field's bytes ended before its length said.
  bool cut() const { return cut_; }
  // There were bytes that are no fields.
  bool damaged() const { return damaged_; }
  const char* at() const { return at_; }

 private:
  bool Stop() {
    damaged_ = true;
    at_ = end_;
    return false;
  }
  uint64_t Varint() {
    try {
      return protozero::decode_varint(&at_, end_);
    } catch (const protozero::exception&) {
      Stop();
      return 0;
    }
  }
  uint64_t Fixed(size_t size) {
    if (static_cast<size_t>(end_ - at_) < size) {
      Stop();
      return 0;
    }
    uint64_t value = 0;
    std::memcpy(&value, at_, size);
    at_ += size;
    return value;
  }
  void TakeBytes() {
    uint64_t length = Varint();
    const auto left = static_cast<uint64_t>(end_ - at_);
    if (length > left) {
      length = left;
      cut_ = true;
      damaged_ = true;
    }
    bytes_ = {at_, static_cast<size_t>(length)};
    at_ += length;
  }

  const char* at_;
  const char* end_;
  uint32_t field_ = 0;
  int wire_ = 0;
  uint64_t number_ = 0;
  std::string_view bytes_;
  bool cut_ = false, damaged_ = false;
};

}  // namespace tilewise
