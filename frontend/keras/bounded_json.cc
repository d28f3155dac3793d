// Checks nesting and number of values with one pass over the text, and only
// then parses it. The parser throws; that ends here.

#include "frontend/keras/bounded_json.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/units.h"

namespace tilewise {
namespace {

constexpr int64_t kMaxDepth = 512;
constexpr int64_t kMaxValues = 4'000'000;

std::string Place(std::string_view text, size_t offset) {
  offset = std::min(offset, text.size());
  const std::string_view before = text.substr(0, offset);
  const auto line = std::count(before.begin(), before.end(), '\n') + 1;
  const size_t start = before.rfind('\n');
  const size_t column = offset - (start == std::string_view::npos ? 0 : start + 1) + 1;
  return fmt::format("line {}, column {}", line, column);
}

absl::Status Measure(std::string_view text) {
  int64_t depth = 0;
  int64_t values = 1;
  bool in_string = false;
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (in_string) {
      if (c == '\\') ++i;
      if (c == '"') in_string = false;
      continue;
    }
    if (c == '"') in_string = true;
    if (c == '[' || c == '{') ++depth;
    if (c == ']' || c == '}') --depth;
    if (c == ',' || c == ':') ++values;
    if (depth > kMaxDepth) {
      return InvalidInput(
          fmt::format("{}: brackets are nested deeper than {} levels, expected "
                      "fewer",
                      Place(text, i), kMaxDepth));
    }
    if (values > kMaxValues) {
      return InvalidInput(fmt::format("{}: found more than {} values, expected fewer",
                                      Place(text, i), FormatCount(kMaxValues)));
    }
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<nlohmann::json> ParseBoundedJson(std::string_view text) {
  const bool blank = text.find_first_not_of(" \t\r\n") == std::string_view::npos;
  if (blank) return InvalidInput("file is empty, expected JSON");
  TW_RETURN_IF_ERROR(Measure(text));
  try {
    return nlohmann::json::parse(text.begin(), text.end());
  } catch (const nlohmann::json::parse_error& error) {
    const size_t offset = error.byte == 0 ? 0 : error.byte - 1;
    const bool ended = offset >= text.size();
    return InvalidInput(
        fmt::format("{}: {}", Place(text, offset),
                    ended ? "text ends early, expected the rest of the JSON" : "not JSON"));
  } catch (const nlohmann::json::exception&) {
    return InvalidInput("a number is out of range, expected JSON");
  }
}

}  // namespace tilewise
