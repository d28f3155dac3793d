// What files and settings hold, in 32 hexadecimal digits.

#pragma once

#include <bit>
#include <concepts>
#include <cstdint>
#include <optional>
#include <ranges>
#include <string>
#include <string_view>
#include <type_traits>

#include <boost/pfr/core.hpp>

namespace tilewise {

// 128 bits of a hash that is not cryptographic: good against accidents, not
// against somebody who wants two texts to look alike. The same on every
// machine.
class ContentHash {
 public:
  // Two texts one after the other are not the same as both in one.
  ContentHash& Add(std::string_view bytes);
  ContentHash& Add(uint64_t number);
  // Adds all fields of a struct, but for those of the types Left. The sizes of
  // lists are part of the hash, so that words do not move from one to the next.
  template <class... Left, class T>
  ContentHash& AddAll(const T& value);
  std::string Hex() const;

 private:
  void Mix(uint64_t word);
  uint64_t a_ = 0x9E3779B97F4A7C15;
  uint64_t b_ = 0xC2B2AE3D27D4EB4F;
};

template <class... Left, class T>
ContentHash& ContentHash::AddAll(const T& value) {
  if constexpr ((std::same_as<T, Left> || ...)) {
    return *this;
  } else if constexpr (std::convertible_to<T, std::string_view>) {
    Add(std::string_view(value));
  } else if constexpr (std::integral<T> || std::is_enum_v<T>) {
    Add(static_cast<uint64_t>(value));
  } else if constexpr (std::same_as<T, double>) {
    Add(std::bit_cast<uint64_t>(value));
  } else if constexpr (requires { value.has_value(); }) {
    Add(uint64_t{value.has_value()});
    if (value) AddAll<Left...>(*value);
  } else if constexpr (std::ranges::sized_range<T>) {
    Add(uint64_t{std::ranges::size(value)});
    for (const auto& item : value) AddAll<Left...>(item);
  } else if constexpr (requires { value.first, value.second; }) {
    AddAll<Left...>(value.first).template AddAll<Left...>(value.second);
  } else {
    static_assert(std::is_class_v<T>);
    boost::pfr::for_each_field(
        value, [this](const auto& field) { this->template AddAll<Left...>(field); });
  }
  return *this;
}

}  // namespace tilewise
