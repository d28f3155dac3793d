// A value that most of its owners leave at its default: kept apart, and only
// when it was written to.

#pragma once

#include <memory>
#include <utility>

namespace tilewise {

// Copies, compares and reads like a T; one pointer large. Reading a box that
// was never written to reads a default T, and the two are equal. Access through
// a box that is not const is taken for writing and makes the value.
template <typename T>
class Boxed {
 public:
  Boxed() = default;
  Boxed(T value)  // NOLINT(google-explicit-constructor): stands for a T
      : value_(value == Default() ? nullptr : std::make_unique<T>(std::move(value))) {}
  Boxed(const Boxed& other) : value_(other.Copy()) {}
  Boxed(Boxed&&) noexcept = default;
  Boxed& operator=(const Boxed& other) {
    if (this != &other) value_ = other.Copy();
    return *this;
  }
  Boxed& operator=(Boxed&&) noexcept = default;
  ~Boxed() = default;

  const T& operator*() const { return value_ == nullptr ? Default() : *value_; }
  const T* operator->() const { return &**this; }
  T& operator*() {
    if (value_ == nullptr) value_ = std::make_unique<T>();
    return *value_;
  }
  T* operator->() { return &**this; }
  operator const T&() const {  // NOLINT(google-explicit-constructor)
    return **this;
  }

  bool operator==(const Boxed& other) const { return value_ == other.value_ || **this == *other; }

 private:
  static const T& Default() {
    static const T value;
    return value;
  }
  std::unique_ptr<T> Copy() const {
    return value_ == nullptr ? nullptr : std::make_unique<T>(*value_);
  }

  std::unique_ptr<T> value_;
};

}  // namespace tilewise
