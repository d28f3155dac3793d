// Look-up in a tree of settings, and scalars as numbers.

#include "frontend/config/setting.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>

#include <absl/strings/ascii.h>
#include <fmt/format.h>

#include "frontend/text_file.h"

namespace tilewise {

absl::StatusOr<std::string> ConfigurationText(const InputFile& file) {
  if (file.bytes.size() <= kMostConfigurationBytes) return CopyText(file);
  return InvalidInput(fmt::format("{}: found {} bytes, expected a configuration of at most {}",
                                  file.path, file.bytes.size(), kMostConfigurationBytes));
}

const Setting* Setting::Find(std::string_view name) const {
  const auto found = std::find_if(children.begin(), children.end(),
                                  [&](const Setting& s) { return s.key == name; });
  return found == children.end() ? nullptr : &*found;
}

const Setting* Setting::Find(std::initializer_list<std::string_view> path) const {
  const Setting* at = this;
  for (const std::string_view name : path) {
    at = at->Find(name);
    if (at == nullptr) return nullptr;
  }
  return at;
}

const Setting* Setting::FindOneOf(std::initializer_list<std::string_view> names) const {
  for (const std::string_view name : names) {
    if (const Setting* found = Find(name)) return found;
  }
  return nullptr;
}

bool Setting::Holds(std::string_view name) const {
  return std::any_of(children.begin(), children.end(),
                     [&](const Setting& s) { return s.key == name || s.Holds(name); });
}

bool Setting::is_null() const {
  if (!is_scalar) return children.empty();
  return value == "null" || value == "None" || value == "~";
}

std::optional<int64_t> Setting::integer() const {
  if (!is_scalar || value.empty() || value.size() > 40) return std::nullopt;
  std::string digits = value;
  std::erase(digits, '_');
  int64_t number = 0;
  const char* end = digits.data() + digits.size();
  const auto whole = std::from_chars(digits.data(), end, number);
  if (whole.ec == std::errc() && whole.ptr == end) return number;
  double real = 0;
  const auto read = std::from_chars(digits.data(), end, real);
  if (read.ec != std::errc() || read.ptr != end) return std::nullopt;
  if (real != std::floor(real) || std::abs(real) > 1e15) return std::nullopt;
  return static_cast<int64_t>(real);
}

std::optional<bool> Setting::boolean() const {
  if (!is_scalar) return std::nullopt;
  const std::string word = absl::AsciiStrToLower(value);
  if (word == "true" || word == "t" || word == "1" || word == "yes") return true;
  if (word == "false" || word == "f" || word == "0" || word == "no") return false;
  return std::nullopt;
}

bool Setting::Says(std::string_view name, bool fallback) const {
  const Setting* flag = Find(name);
  return flag == nullptr ? fallback : flag->boolean().value_or(fallback);
}

}  // namespace tilewise
