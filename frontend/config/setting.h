// A configuration file as a tree of settings, whatever its syntax is.

#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/location.h"
#include "base/status.h"
#include "frontend/input_file.h"

namespace tilewise {

// "key: value", "key { ... }", or an element of a list, which has no key.
struct Setting {
  std::string key;
  std::string value;       // of a scalar, without its quotes
  bool is_scalar = false;  // else a block or a list, maybe empty
  Location location;       // of the key
  Span value_span;         // of a scalar as written
  std::vector<Setting> children;

  // The first child of that key, or what the path leads to; null when there is
  // none.
  const Setting* Find(std::string_view name) const;
  const Setting* Find(std::initializer_list<std::string_view> path) const;
  // The first child of one of these keys.
  const Setting* FindOneOf(std::initializer_list<std::string_view> names) const;
  // Whether a setting of that key is anywhere below.
  bool Holds(std::string_view name) const;

  bool is_null() const;                    // "null", None, nothing
  std::optional<int64_t> integer() const;  // "128", "32_000", "1e3"
  std::optional<bool> boolean() const;     // true, False, 1

  // The flag of that key; `fallback` where it is not there or not one.
  bool Says(std::string_view name, bool fallback = false) const;
};

// What a hostile file may have at most.
inline constexpr size_t kMostSettings = 200000;
inline constexpr int kDeepestSetting = 200;
inline constexpr size_t kMostConfigurationBytes = size_t{2} << 20;

// The text of a configuration file. Errors: larger than people write them;
// YAML of 60 MB takes a minute to parse.
absl::StatusOr<std::string> ConfigurationText(const InputFile& file);

// The text form of a protobuf message whose schema is not needed: fields with
// scalars, messages in braces or angle brackets, lists, comments. The root has
// no key. Errors: malformed text, too many or too deep, with the line.
absl::StatusOr<Setting> ParseTextprotoSettings(const InputFile& file);

// The first document of a YAML file. Errors: as above.
absl::StatusOr<Setting> ParseYamlSettings(const InputFile& file);

// Bindings of gin, flat: "train/utils.DatasetConfig.batch_size" with its value,
// macros put in where they are bound to scalars. Errors: as above.
absl::StatusOr<Setting> ParseGinSettings(const InputFile& file);

}  // namespace tilewise
