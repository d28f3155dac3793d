// A configuration's YAML as plain values with locations. yaml-cpp and its
// exceptions stay behind this header.

#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/location.h"
#include "base/status.h"

namespace tilewise {

struct YamlMember;

// A scalar, a list or a map of the text; nothing is shared, aliases are copies.
struct YamlValue {
  enum class Kind : uint8_t { kNull, kScalar, kList, kMap };
  Kind kind = Kind::kNull;
  std::string scalar;
  std::vector<YamlValue> items;
  std::vector<YamlMember> members;  // in the order of the text
  Location from;
};

struct YamlMember {
  std::string key;
  Location from;  // of the key
  YamlValue value;
};

// "a list", "a map", "'7'", "nothing": for messages.
std::string DescribeYaml(const YamlValue& value);

// The one document of `text`; kNull when it is empty. Errors, with
// file:line:column: what is not YAML, several documents, keys that are no text
// or stand there twice, deeper than 16 levels, more than 100,000 values.
absl::StatusOr<YamlValue> ParseYaml(std::string_view text, const std::string& path);

// "file:3:5: message".
absl::Status ErrorAt(const Location& place, const std::string& message);

}  // namespace tilewise
