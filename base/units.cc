// Quantities as people read them.

#include "base/units.h"

#include <array>
#include <cmath>
#include <cstdlib>
#include <string_view>

#include <fmt/format.h>

namespace tilewise {
namespace {

// Three significant digits without an exponent.
std::string ThreeDigits(double value) {
  const double magnitude = std::abs(value);
  if (magnitude >= 99.95) return fmt::format("{:.0f}", value);
  if (magnitude >= 9.995) return fmt::format("{:.1f}", value);
  return fmt::format("{:.2f}", value);
}

}  // namespace

std::string FormatBytes(Bytes bytes) {
  constexpr std::array<std::string_view, 7> kUnits = {"B",   "KiB", "MiB", "GiB",
                                                      "TiB", "PiB", "EiB"};
  auto value = static_cast<double>(bytes.value);
  size_t unit = 0;
  while (std::abs(value) >= 1024 && unit + 1 < kUnits.size()) {
    value /= 1024;
    ++unit;
  }
  if (unit == 0) return fmt::format("{} B", bytes.value);
  return fmt::format("{} {}", ThreeDigits(value), kUnits[unit]);
}

std::string FormatSeconds(Seconds seconds) {
  const double value = seconds.value;
  const double magnitude = std::abs(value);
  if (magnitude >= 0.9995) return ThreeDigits(value) + " s";
  if (magnitude >= 0.9995e-3) return ThreeDigits(value * 1e3) + " ms";
  if (magnitude >= 0.9995e-6) return ThreeDigits(value * 1e6) + " us";
  if (value == 0) return "0 s";
  return ThreeDigits(value * 1e9) + " ns";
}

std::string FormatPercent(double fraction) {
  const double percent = fraction * 100;
  if (std::abs(percent) >= 9.95) return fmt::format("{:.0f} %", percent);
  return fmt::format("{:.1f} %", percent);
}

std::string FormatCount(int64_t count) {
  std::string digits = fmt::format("{}", std::abs(count));
  for (int at = static_cast<int>(digits.size()) - 3; at > 0; at -= 3) {
    digits.insert(at, ",");
  }
  if (count < 0) digits.insert(0, 1, '-');
  return digits;
}

std::string FormatShortCount(double count) {
  constexpr std::array<std::string_view, 6> kUnits = {"", " k", " M", " G", " T", " P"};
  size_t unit = 0;
  while (std::abs(count) >= 999.5 && unit + 1 < kUnits.size()) {
    count /= 1000;
    ++unit;
  }
  if (unit == 0 && count == std::floor(count)) {
    return fmt::format("{:.0f}", count);
  }
  return ThreeDigits(count) + std::string(kUnits[unit]);
}

}  // namespace tilewise
