// An index into one sort of things: the ops of a graph, the kernels of a
// program. It indexes a vector as it is; an id of one sort is never taken for
// one of another, nor a number that was computed for any.

#pragma once

#include <compare>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <utility>

#include <fmt/core.h>

namespace tilewise {

template <class T>
concept IdNumber = std::integral<T> && !std::same_as<T, bool>;

template <class Tag>
class Id {
 public:
  constexpr Id() = default;  // none: before all others
  // A number that stands in the source is an id wherever one is expected; the
  // more constrained constructor makes one of any other number, when told to.
  template <std::integral T>
  consteval Id(T index) : index_(static_cast<int32_t>(index)) {}
  template <IdNumber T>
  constexpr explicit Id(T index) : index_(static_cast<int32_t>(index)) {}

  constexpr operator size_t() const { return static_cast<size_t>(index_); }
  constexpr int32_t value() const { return index_; }

  constexpr Id& operator++() { return ++index_, *this; }
  constexpr Id& operator--() { return --index_, *this; }
  constexpr Id& operator+=(IdNumber auto n) { return *this = *this + n; }
  constexpr Id& operator-=(IdNumber auto n) { return *this = *this - n; }
  friend constexpr Id operator+(Id id, IdNumber auto n) { return Id(id.index_ + n); }
  friend constexpr Id operator-(Id id, IdNumber auto n) { return Id(id.index_ - n); }
  friend constexpr int32_t operator-(Id a, Id b) { return a.index_ - b.index_; }

  friend constexpr bool operator==(Id, Id) = default;
  friend constexpr auto operator<=>(Id, Id) = default;
  friend constexpr bool operator==(Id id, IdNumber auto n) {
    return id.index_ == static_cast<int64_t>(n);
  }
  friend constexpr std::strong_ordering operator<=>(Id id, IdNumber auto n) {
    return int64_t{id.index_} <=> static_cast<int64_t>(n);
  }
  template <class Other>
  friend bool operator==(Id, Id<Other>) = delete;

  template <class Hash>
  friend Hash AbslHashValue(Hash hash, Id id) {
    return Hash::combine(std::move(hash), id.index_);
  }

 private:
  int32_t index_ = -1;
};

}  // namespace tilewise

template <class Tag>
struct std::hash<tilewise::Id<Tag>> {
  size_t operator()(tilewise::Id<Tag> id) const noexcept { return id; }
};

template <class Tag>
struct fmt::formatter<tilewise::Id<Tag>> : formatter<int32_t> {
  template <class Context>
  auto format(tilewise::Id<Tag> id, Context& context) const {
    return formatter<int32_t>::format(id.value(), context);
  }
};
