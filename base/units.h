// Quantities with their unit in the type. Bytes are exact, seconds are real.

#pragma once

#include <compare>
#include <cstdint>
#include <string>

namespace tilewise {

struct Bytes {
  int64_t value = 0;
  constexpr auto operator<=>(const Bytes&) const = default;
  constexpr Bytes& operator+=(Bytes o) {
    value += o.value;
    return *this;
  }
  constexpr Bytes& operator-=(Bytes o) {
    value -= o.value;
    return *this;
  }
};
constexpr Bytes operator+(Bytes a, Bytes b) { return {a.value + b.value}; }
constexpr Bytes operator-(Bytes a, Bytes b) { return {a.value - b.value}; }
constexpr Bytes operator*(Bytes a, int64_t n) { return {a.value * n}; }
constexpr Bytes operator*(int64_t n, Bytes a) { return {a.value * n}; }

struct Seconds {
  double value = 0;
  constexpr auto operator<=>(const Seconds&) const = default;
  constexpr Seconds& operator+=(Seconds o) {
    value += o.value;
    return *this;
  }
  constexpr Seconds& operator-=(Seconds o) {
    value -= o.value;
    return *this;
  }
};
constexpr Seconds operator+(Seconds a, Seconds b) { return {a.value + b.value}; }
constexpr Seconds operator-(Seconds a, Seconds b) { return {a.value - b.value}; }
constexpr Seconds operator*(Seconds a, double n) { return {a.value * n}; }
constexpr Seconds operator*(double n, Seconds a) { return {a.value * n}; }
constexpr Seconds operator/(Seconds a, double n) { return {a.value / n}; }
constexpr double operator/(Seconds a, Seconds b) { return a.value / b.value; }

struct BytesPerSecond {
  double value = 0;
  constexpr auto operator<=>(const BytesPerSecond&) const = default;
};
constexpr Seconds operator/(Bytes b, BytesPerSecond r) {
  return {static_cast<double>(b.value) / r.value};
}

// These format for people: "7.48 GiB", "640 B"; "1.23 ms", "18.0 us"; "31 %",
// "0.4 %"; "12,345"; "1.2 M". They write three significant digits, locale-free
// and deterministic.
std::string FormatBytes(Bytes bytes);
std::string FormatSeconds(Seconds seconds);
std::string FormatPercent(double fraction);
std::string FormatCount(int64_t count);      // thousands separators
std::string FormatShortCount(double count);  // 1.2 k, 3.4 M, 5.6 G, 7.8 T

}  // namespace tilewise
